"""What commands of the documentation are given: a small benchmark, answers to it, a database with a study.

Made once, by the library and by commands; every page gets a copy of all of it in a folder of its own, under
the names that pages use.
"""

import shutil
from pathlib import Path

import clinicnum
from clinicnum.api.sample_project import careful_answers, hasty_answers
from clinicnum.scripts.commands.common.simulated_annotators import add_simulated, label_study
from tests.docs.shell import Shell
from tests.fuzz.seed_items import HEALTHBENCH, lines

RUNS = {"run-of-smollm2": hasty_answers, "run-of-llama": careful_answers, "run-of-gpt": hasty_answers}
"""Run -> how its made-up answers come about."""
TALKS = "run-of-talks"
QUOTA = "retrieval=3,arithmetic=6,comparison=2,aggregation=2"
PEOPLE = {"ann": "annotator", "ben": "annotator", "eve": "annotator", "ada": "adjudicator", "rex": "admin"}
ROBOTS = ("simulated-1", "simulated-2", "simulated-3")


def make_files(folder: Path) -> None:
    """A benchmark, `bench.jsonl`, and generations and scores of each run."""
    benchmark = clinicnum.generate(quota=QUOTA, seed=0, representation="all", variants="input.typo")
    asked = list(benchmark.instances.values())
    frame = benchmark.to_frame()[["instance_id"]]
    answers = [frame.assign(text=list(answer(asked)), run_id=run) for run, answer in RUNS.items()]
    for one in answers:
        clinicnum.score(benchmark, one).save(folder)
    (folder / "benchmark.jsonl").rename(folder / "bench.jsonl")
    (folder / "benchmark.jsonl.meta.json").rename(folder / "bench.jsonl.meta.json")


def make_talks(folder: Path, shell: Shell) -> None:
    """An answer to a conversation in the form of HealthBench, as the run `TALKS`."""
    (folder / "talks.jsonl").write_bytes(lines(HEALTHBENCH))
    shell.run(
        "clinicnum import items --format healthbench --from talks.jsonl --out asked.jsonl --open-data",
        folder,
        {},
    )
    asked = clinicnum.load_benchmark(folder / "asked.jsonl")
    answers = asked.to_frame()[["instance_id"]].assign(text="Wait.", run_id=TALKS)
    clinicnum.score(asked, answers).save(folder)


def make_material(folder: Path, shell: Shell) -> None:
    """The files, and `clinicnum.db`: accounts, all runs, and a study `first`, labelled by three scripts."""
    from clinicnum.db.engine import make_engine, writing
    from clinicnum.db.migrate import migrate
    from clinicnum.db.work.accounts.users import add_user
    from clinicnum.db.work.bank.template_versions import add_packaged_templates

    make_files(folder)
    engine = make_engine(f"sqlite:///{folder / 'clinicnum.db'}")
    migrate(engine)
    with writing(engine) as session:
        for name, role in PEOPLE.items():
            add_user(session, name=name, role=role, password=None)  # type: ignore[arg-type]
        add_packaged_templates(session)  # as `clinicnum serve` does
    add_simulated(engine, ROBOTS)
    files = "--benchmark bench.jsonl --generations {run}.generations.jsonl --scores {run}.scores.jsonl"
    make_talks(folder, shell)
    commands = [f"clinicnum runs add {files.format(run=run)}" for run in RUNS]
    commands += [f"clinicnum runs add {files.format(run=TALKS).replace('bench.jsonl', 'benchmark.jsonl')}"]
    annotators = f"--annotators {','.join(ROBOTS)} --overlap 3"
    commands += [f"clinicnum study create --name first --run run-of-smollm2 {annotators} --size 20 --seed 0"]
    shell.run("\n".join(commands), folder, {})
    label_study(engine, "first", error_rate=0.04, seed=0)
    engine.dispose()
    for name in ("generations", "scores"):
        for ending in ("jsonl", "jsonl.meta.json"):
            shutil.copy(folder / f"run-of-smollm2.{name}.{ending}", folder / f"{name}.{ending}")
    score = "clinicnum score --benchmark bench.jsonl --generations generations.jsonl"
    shell.run(f"{score} --out scores.jsonl --suggestions suggestions.jsonl", folder, {})
