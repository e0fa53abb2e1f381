"""A whole small study on SQLite as commands make it: a generated benchmark, answers, scores, labels."""

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path

from clinicnum.db.engine import make_engine
from clinicnum.io.benchmark import read_benchmark
from clinicnum.io.jsonl import sha256_file, write_jsonl
from clinicnum.scoring import score
from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands.common.simulated_annotators import add_simulated, label_study
from clinicnum.types import Generation, Instance

ROBOTS = ("simulated-1", "simulated-2", "simulated-3")
QUOTA = "retrieval=2,arithmetic=4,comparison=4,aggregation=2"


@dataclass(frozen=True)
class Made:
    """Where it is."""

    folder: Path
    url: str
    study: str = "made"

    def run(self, *arguments: str) -> int:
        """A command on its database."""
        return run_command([*arguments, "--db", self.url])


def make_study(folder: Path) -> Made:
    """12 questions in three representations, a third of them answered right, labelled by three scripts."""
    made = Made(folder, f"sqlite:///{folder / 'made.db'}")
    bench, generations, scores = (folder / f"{name}.jsonl" for name in ("bench", "generations", "scores"))
    assert run_command(["generate", "--quota", QUOTA, "--seed", "5", "--out", str(bench)]) == 0
    instances = tuple(read_benchmark(bench).values())
    answered = [_answer(number, one) for number, one in enumerate(instances)]
    write_jsonl(generations, answered, {"model": "made up", "benchmark_sha256": sha256_file(bench)})
    judged = [score(instance=one, generation=answer) for one, answer in zip(instances, answered, strict=True)]
    write_jsonl(scores, judged, {"generations_sha256": sha256_file(generations)})
    engine = make_engine(made.url)
    assert made.run("study", "list") == 0  # The command brings the database up.
    add_simulated(engine, ROBOTS)
    created = made.run(
        *("study", "create", "--name", made.study, "--benchmark", str(bench)),
        *("--generations", str(generations), "--scores", str(scores)),
        *("--annotators", ",".join(ROBOTS), "--overlap", "3"),
    )
    assert created == 0
    label_study(engine, made.study, error_rate=0.3, seed=1)
    engine.dispose()
    return made


def write_all(made: Made) -> Path:
    """What `report` and `export` write of it, in every form."""
    out = made.folder / "out"
    assert made.run("report", "--study", made.study, "--out", str(out / "report")) == 0
    forms = "csv,jsonl,parquet,xlsx,label-studio,hugging-face"
    exported = made.run(
        *("export", "--study", made.study, "--out", str(out / "export"), "--format", forms),
        *("--bundle", str(out / "made.zip")),
    )
    assert exported == 0
    return out


def csv_rows(text: str) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def _answer(number: int, instance: Instance) -> Generation:
    right = instance.answer is not None and number % 3 == 0
    wrong = instance.distractors[0].value if instance.distractors and number % 3 == 1 else "=7"
    return Generation(
        generation_id=f"g{number}",
        run_id="run-of-made-up",
        instance_id=instance.instance_id,
        text=json.dumps({"answer": instance.answer if right else wrong}),
        finish_reason="stop",
    )
