"""The command as a user meets it: help for all, quick; bad input is one line, exit code 2, no half write."""

import subprocess
import sys
from pathlib import Path

import pytest

from clinicnum.scripts.cli import COMMANDS, GROUPS, run_command
from tests.clinicnum.answering import instance

ALL = [(name,) for name, _, _ in COMMANDS] + [
    (group, member) for group, _, _, members in GROUPS for member, _ in members
]


@pytest.mark.parametrize("command", ALL, ids=" ".join)
def test_every_command_has_help_with_an_example(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command([*command, "--help"]) == 0
    assert f"Example: clinicnum {' '.join(command)}" in " ".join(capsys.readouterr().out.split())


def test_the_command_itself_ends_with_the_exit_code_and_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "clinicnum.scripts.cli", "lint", "none.csv"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: none.csv")
    assert len(done.stderr.splitlines()) == 1


def test_help_imports_nothing_heavy() -> None:
    heavy = (
        "torch",
        "transformers",
        "gradio",
        "pandas",
        "numpy",
        "sqlalchemy",
        "sqlmodel",
        "fastapi",
        "sklearn",
    )
    code = (
        "import sys, clinicnum.scripts.cli as c; c.build_app();"
        f"print([m for m in {heavy} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


LABELS = "item,annotator\n1,a\n"
VITALS = """subject_id,stay_id,charttime,HR,Temp,unit
1,1,2150-01-01 08:00:00,88,37.0,C
1,1,2150-01-01 09:00:00,fast,37.2,C
"""
BANK = """- id: arithmetic.sum
  version: 1
  status: unreviewed
  operation: arithmetic
  subtype: one_step
  steps: 1
  wording: ["Sum at {time}?"]
  slots: {time: {kind: record}}
  tree:
    op: round
    of:
      op: add
      left: {op: vital, vital: heart_rate_bpm, at: time}
      right: {op: vital, vital: sbp_mmhg, at: time}
  answer_type: number
  decimals: 0
  source: nobody
"""
UNITS = "temperature_c=Temp,temperature_unit=unit"
FILES = {
    "labels.csv": LABELS,
    "empty.jsonl": "",
    "one.jsonl": instance(1).model_dump_json() + "\n",
    "vitals.csv": VITALS,
    "units.csv": VITALS.replace("fast", "90").replace("37.2,C", "37.2,F"),
    "single.csv": "".join(VITALS.splitlines(keepends=True)[:2]),
    "sums/bank.yaml": BANK,
    "broken/bank.yaml": BANK.replace("op: add", "op: plus"),
}
"""What lies in the folder."""
BAD = {
    "a wrong flag": (["generate", "--sauce", "synthetic", "--out", "o.jsonl"], "--sauce"),
    "a missing flag": (["generate"], "--out"),
    "a wrong command": (["generat"], "generat"),
    "a wrong choice": (["generate", "--source", "elsewhere", "--out", "o.jsonl"], "elsewhere"),
    "a missing folder of records": (
        ["generate", "--source", "mimic-iv-ed", "--path", "nowhere", "--out", "o.jsonl"],
        "nowhere",
    ),
    "a missing benchmark": (
        ["score", "--benchmark", "none.jsonl", "--generations", "g.jsonl", "--out", "o.jsonl"],
        "none.jsonl",
    ),
    "a model path that does not exist": (
        ["run", "--benchmark", "one.jsonl", "--model", "no/such/model", "--out", "o.jsonl"],
        "no/such/model",
    ),
    "an empty benchmark to run": (
        ["run", "--benchmark", "empty.jsonl", "--model", "no/such/model", "--out", "o.jsonl"],
        "empty.jsonl",
    ),
    "an empty benchmark": (
        ["score", "--benchmark", "empty.jsonl", "--generations", "none.jsonl", "--out", "o.jsonl"],
        "empty.jsonl",
    ),
    "a CSV without a column": (
        ["agreement", "--from", "labels.csv", "--scale", "nominal", "--categories", "a,b"],
        "label",
    ),
    "a scale that does not exist": (
        ["agreement", "--from", "labels.csv", "--scale", "cardinal", "--categories", "a,b"],
        "cardinal",
    ),
    "a study in a database that does not exist": (
        ["report", "--study", "none", "--db", "sqlite:///x.db", "--out", "o"],
        "x.db: there is no such database",
    ),
    "a database address that is none": (["study", "list", "--db", "what"], "what"),
    "an output folder that is not there": (["generate", "--out", "no/where/o.jsonl"], "no/where"),
    "text in a number column": (
        [
            "generate",
            "--source",
            "csv",
            "--path",
            "vitals.csv",
            "--columns",
            "heart_rate_bpm=HR",
            "--out",
            "o",
        ],
        "vitals.csv:3: HR is 'fast'; expected a number or an empty cell; correct the cell",
    ),
    "records of which nothing can be asked": (
        [
            "generate",
            "--source",
            "csv",
            "--path",
            "single.csv",
            "--out",
            "o.jsonl",
            "--columns",
            "heart_rate_bpm=HR",
        ],
        "single.csv: no valid question in 1 records",
    ),
    "a value that contradicts its unit": (
        ["generate", "--source", "csv", "--path", "units.csv", "--out", "o.jsonl", "--columns", UNITS],
        "units.csv:3: ",
    ),
    "a folder without vitalsign": (
        ["generate", "--source", "mimic-iv-ed", "--path", "sums", "--out", "o.jsonl"],
        "sums: no vitalsign.csv or vitalsign.csv.gz below it; name the folder that holds it (--path)",
    ),
    "a template with an operation that is none": (
        ["generate", "--bank", "broken", "--out", "o.jsonl"],
        "broken/bank.yaml:12: tree.of.op: got 'plus'",
    ),
    "a template that adds beats to pressures": (
        ["generate", "--bank", "sums", "--out", "o.jsonl"],
        "contradictory units",
    ),
    "a file to lint that is not there": (["lint", "none.csv"], "none.csv"),
    "a file to lint that is no benchmark": (["lint", "labels.csv"], "labels.csv:1"),
    "JSON that is none": (
        ["score", "--benchmark", "labels.csv", "--generations", "labels.csv", "--out", "o.jsonl"],
        "labels.csv:1",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_exit_code_2(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, named = BAD[case]
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    before = sorted(path.name for path in tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    code = run_command(arguments)
    written = capsys.readouterr()
    assert (code, written.out) == (2, ""), written.err
    lines = written.err.splitlines()
    assert len(lines) == 1, written.err
    assert lines[0].startswith("error: ")
    assert named in lines[0]
    left = {path.name for path in tmp_path.iterdir()} - set(before)
    assert left <= {"x.db", "x.db-wal", "x.db-shm"}, left
