"""Hostile benchmarks, answers, scores, suggestions and taxonomies, as files from elsewhere may hold them."""

from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Engine

from clinicnum.annotations.study_inputs import Material, Run
from clinicnum.annotations.taxonomy import OrderStep, Taxonomy, load_taxonomy
from clinicnum.types import Cell, Distractor, Generation, Given, Instance, Suggestion
from tests.db.examples import as_our_run, instance, material
from tests.e2e.payloads import Dealer, corpus

WRONG = "contextual_inconsistency.wrong_record"


@dataclass
class House:
    """A database with hostile texts in it."""

    engine: Engine
    dealer: Dealer
    each: int
    """Payloads that a field without a narrow limit takes."""
    many: int
    """Things of which there can be any number: small studies."""
    ids: dict[str, str] = field(default_factory=dict)
    """User ids by name."""
    items: list[str] = field(default_factory=list)
    """Ann's assignments."""
    opened: str = ""
    """Id of the study in which all is hostile."""
    closed: str = ""
    """Id of the study that is closed."""
    drafts: list[str] = field(default_factory=list)
    item_drafts: list[str] = field(default_factory=list)
    rounds: list[str] = field(default_factory=list)
    templates: list[tuple[str, int]] = field(default_factory=list)

    def some(self, name: str, *, most: int = 10_000) -> str:
        return self.dealer.some(name, self.each, most=most)

    def line(self, name: str, *, most: int = 10_000) -> str:
        return self.dealer.some(name, self.each, most=most, joined=" ", line=True).strip()


def hostile_material(house: House, key: str, items: int) -> Material:
    """Wrong answers of a model; all payloads are in the texts of each six."""
    made = material(wrong=items, run_id=f"{key} {house.line('run id')}")
    names = [f"{key} {number} {house.line('generation id')}" for number in range(items)]
    benchmark = f"{key} {house.line('benchmark id')}"
    asked = [_asked(house, f"{key}{number}", benchmark, number) for number in range(items)]
    scores = tuple(
        one.model_copy(
            update={
                "generation_id": name,
                "parsed": house.line("parsed"),
                "form": house.line("form of an answer"),
                "reason": house.some("score reason"),
            }
        )
        for one, name in zip(made.scores, names, strict=True)
    )
    generations = zip(made.generations(), names, asked, strict=True)
    run = Run(
        meta={"model": house.line("model name")},
        generations=tuple(_answer(house, one, name, to.instance_id) for one, name, to in generations),
    )
    [run] = as_our_run(replace(made, runs=(run,))).runs
    return Material(
        benchmark_meta={"note": house.some("benchmark note")},
        instances=tuple(asked),
        runs=(run,),
        scores=scores,
        suggestions=tuple(_suggested(house, name) for name in names),
    )


def _asked(house: House, key: str, benchmark: str, number: int) -> Instance:
    made = instance(number)
    patient = {name: house.line(f"{name[:-3]} id") for name in ("subject_id", "stay_id")}
    told = {
        "instance_id": f"{key} {house.line('instance id')}",
        "benchmark_id": benchmark,
        "group_id": f"{key} {house.line('group id')}",
        "template_id": house.line("template id of a benchmark", most=190),
        "subtype": house.line("subtype"),
        "tags": (house.line("tag of a benchmark"),),
        "context": house.some("context"),
        "question": house.some("question"),
        "options": (house.line("option"), house.line("option")),
        "worked": (house.line("working"),),
        "unit": house.line("unit"),
        "answer": house.line("gold"),
        "answer_exact": house.line("exact gold"),
        "givens": tuple(
            Given(
                name=house.line("name of a fact"), value=house.line("fact"), unit=house.line("unit of a fact")
            )
            for _ in range(2)
        ),
        "distractors": (
            Distractor(value=house.line("distractor"), rule=house.line("rule of a distractor"), code=WRONG),
        ),
        "subject_id": patient["subject_id"],
        "records": tuple(
            one.model_copy(update={**patient, "source": house.line("source of a record")})
            for one in made.records
        ),
        "variant": None,
        "flags": (),
    }
    return made.model_copy(update=told)


def _answer(house: House, one: Generation, name: str, instance_id: str) -> Generation:
    told = {
        "generation_id": name,
        "instance_id": instance_id,
        "text": house.dealer.some("model text", -(-len(corpus()) // 6), most=100_000),
        "thinking": house.some("thinking"),
    }
    return one.model_copy(update=told)


def _suggested(house: House, name: str) -> Suggestion:
    return Suggestion(
        generation_id=name,
        code=WRONG,
        rule=house.line("rule"),
        spans=((0, 20),),
        cells=(Cell(record=1, vital="sbp_mmhg"),),
        rank=1,
        sentence=house.some("suggestion"),
    )


def hostile_taxonomy(house: House) -> Taxonomy:
    """One of somebody's own: each name, definition and example."""
    built_in = load_taxonomy()

    def hostile(code: Any) -> Any:
        told = {
            "name": house.line("name of a code"),
            "definition": house.some("definition of a code"),
            "include": house.some("definition of a code"),
            "exclude": house.some("definition of a code"),
            "examples": (house.some("example of a code"), house.some("example of a code")),
            "step": None,
        }
        subs = getattr(code, "sub_classes", None)
        return code.model_copy(
            update=told | ({} if subs is None else {"sub_classes": tuple(map(hostile, subs))})
        )

    levels = tuple(
        one.model_copy(
            update={
                "name": house.line("name of a severity"),
                "examples": (house.some("example of a severity"),) * 2,
            }
        )
        for one in built_in.severities
    )
    return built_in.model_copy(
        update={
            "id": house.line("taxonomy id"),
            "version": house.line("taxonomy version"),
            "order": tuple(
                OrderStep(name=house.line("step of an answer"), hint=house.some("hint of a step"))
                for _ in built_in.order
            ),
            "classes": tuple(map(hostile, built_in.classes)),
            "severities": levels,
        }
    )
