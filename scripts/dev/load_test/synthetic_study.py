"""A synthetic study of any size: real instances with wrong answers, scored by the real scorer."""

from sqlalchemy import Engine

from clinicnum.annotations.study_design import read_design
from clinicnum.annotations.study_inputs import Material, Run
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.engine import writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.generation.presets import QUESTIONS_PER_STAY
from clinicnum.prompt import prompt_hash
from clinicnum.types import Generation, Instance, Score

PASSWORD = "a long enough password"  # noqa: S105  of accounts that live as long as a benchmark
QUOTAS = {"retrieval": 240, "arithmetic": 600, "comparison": 383, "aggregation": 201}


def made_up(items: int) -> Material:
    """Material of `items` synthetic questions with wrong answers, scored."""
    instances = _instances(items)
    generations = tuple(
        Generation(
            generation_id=f"g{number}",
            run_id="made-up",
            instance_id=instance.instance_id,
            text=wrong_answer(instance, number),
            finish_reason="stop",
        )
        for number, instance in enumerate(instances)
    )
    return Material(
        benchmark_meta={},
        instances=instances,
        runs=(Run(meta={"prompt_hash": prompt_hash([None])}, generations=generations),),
        scores=_scores(instances, generations),
    )


def _instances(items: int) -> tuple[Instance, ...]:
    from clinicnum.api.record_sources import Wanted, open_source
    from clinicnum.generation.benchmark import generate
    from clinicnum.templates.bank import load_bank

    scale = items / sum(QUOTAS.values()) * 1.05 + 0.01
    quotas = {name: round(count * scale) for name, count in QUOTAS.items()}
    stays = -(-sum(quotas.values()) // QUESTIONS_PER_STAY)
    source = open_source(Wanted("synthetic", None, "", False), seed=0, stays=stays, scope="stay")
    benchmark = generate(
        contexts=source.supply,
        templates=load_bank(),
        representations=("structured",),
        quotas=quotas,  # type: ignore[arg-type]
        seed=0,
    )
    return tuple(Instance.model_validate_json(line) for line in benchmark.lines)[:items]


def wrong_answer(instance: Instance, number: int) -> str:
    """A text of typical length that ends in an answer not found in the records."""
    return (
        f"To answer this, I look at the records one after the other. The question was: {instance.question} "
        f"The first record seems to matter most here, and I take its values as they stand. Step 1: I read "
        f"{100 + number % 40} and {60 + number % 30}. Step 2: I put them together. That gives 4711, which I "
        'report in the asked form.\n{"answer": "4711"}'
    )


def _scores(instances: tuple[Instance, ...], generations: tuple[Generation, ...]) -> tuple[Score, ...]:
    from clinicnum.scoring import score

    return tuple(score(instance=i, generation=g) for i, g in zip(instances, generations, strict=True))


def open_made_up(
    engine: Engine, material: Material, *, annotators: int, overlap: int, name: str = "made up"
) -> tuple[str, ...]:
    """Create accounts and a study for them in a migrated database; returns the login names (password
    `PASSWORD`).
    """
    names = tuple(f"{name.replace(' ', '-')}-{number}" for number in range(annotators))
    with writing(engine) as session:
        for one in names:
            users.add_user(session, name=one, role="annotator", password=PASSWORD)
        study_lifecycle.create_study(
            session,
            name=name,
            material=material,
            annotators=names,
            design=read_design({"overlap": overlap, "include": "all"}),
            seed=0,
            taxonomy=load_taxonomy(),
        )
    return names
