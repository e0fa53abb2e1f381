"""`templates publish`, `import`, `export`, `trace` and `regress` as typed, on files and a real database."""

import json
from pathlib import Path

import pytest

from clinicnum.io.jsonl import read_jsonl, write_jsonl
from clinicnum.release import read_release
from clinicnum.scripts.cli import run_command
from clinicnum.templates.bank import load_bank
from clinicnum.types import Generation, Instance
from tests.clinicnum.releasing import PULSE, made, write

SHOCK = "arithmetic.shock_index"


def typed(*arguments: str) -> int:
    return run_command([str(one) for one in arguments])


@pytest.fixture
def ward(tmp_path: Path, database_url: str, capsys: pytest.CaptureFixture[str]) -> str:
    """A database into which the release ward-1 was imported."""
    folder = write(tmp_path / "ward-1", made())
    assert typed("templates", "import", str(folder), "--db", database_url) == 0
    said = capsys.readouterr().out
    assert f"{PULSE} version 1: validated\n" in said
    assert "4 of 4 templates are new" in said
    return database_url


def test_a_bank_is_imported_published_checked_exported_and_asked(
    tmp_path: Path, ward: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine"
    publish = (
        "templates",
        "publish",
        "--name",
        "mine-1",
        "--include-unreviewed",
        "--out",
        str(out),
        "--db",
        ward,
    )
    assert typed(*publish, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["templates"], told["new"]) == (4, True)
    assert read_release(out).sha256 == told["sha256"]
    assert typed(*publish) == 0
    assert "it was published before, just so" in capsys.readouterr().out
    assert typed("templates", "export", str(tmp_path / "again"), "--release", "mine-1", "--db", ward) == 0
    for file in out.iterdir():
        assert (tmp_path / "again" / file.name).read_bytes() == file.read_bytes()
    assert typed("templates", "export", str(tmp_path / "plain"), "--db", ward) == 0
    assert load_bank(tmp_path / "plain") == read_release(out).templates
    assert typed("templates", "check", "--release", str(tmp_path / "again")) == 0


def test_what_cannot_be_published_or_written_is_one_line_and_leaves_nothing(
    tmp_path: Path, ward: str, capsys: pytest.CaptureFixture[str]
) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "notes.txt").write_text("mine")
    name = ("templates", "publish", "--db", ward, "--name")
    cases = {
        "is there already; name a new folder": (*name, "x-1", "--out", str(full)),
        "does not exist; make it": (*name, "x-1", "--out", str(tmp_path / "no" / "x")),
        "cannot name a release": (*name, "X 1", "--out", str(tmp_path / "x")),
        "holds the release ward-1": (*name, "x-1", "--out", str(tmp_path / "ward-1")),
        "no release 'x-1'; there are: ward-1": (
            *("templates", "export", str(tmp_path / "x"), "--release", "x-1", "--db", ward),
        ),
        "name it": ("templates", "regress", "--bank", "base", "--scores", "s.jsonl"),
        "the database has no scored run": ("templates", "regress", "--bank", "base", "--db", ward),
        "no such folder": ("templates", "import", str(tmp_path / "no"), "--db", ward),
    }
    capsys.readouterr()
    for complaint, arguments in cases.items():
        assert typed(*arguments) == 2, complaint
        said = capsys.readouterr().err
        assert complaint in said
        assert said.count("\n") == 1
    assert not (tmp_path / "x").exists()
    assert sorted(path.name for path in full.iterdir()) == ["notes.txt"]
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_new_bank_is_tried_on_files_and_on_the_database_alike_and_the_chain_is_told(
    tmp_path: Path, ward: str, capsys: pytest.CaptureFixture[str]
) -> None:
    bench, answers, scores = (tmp_path / f"{name}.jsonl" for name in ("bench", "answers", "scores"))
    generate = (
        "generate",
        "--bank",
        str(tmp_path / "ward-1"),
        "--quota",
        "arithmetic=12",
        "--out",
        str(bench),
    )
    assert typed(*generate, "--representation", "structured") == 0
    asked = list(read_jsonl(bench, Instance))
    write_jsonl(
        answers,
        [
            Generation(
                generation_id=f"g{number}",
                run_id="tiny",
                instance_id=one.instance_id,
                text=f'{{"answer": "{one.answer}"}}',
                finish_reason="stop",
            )
            for number, one in enumerate(asked)
        ],
        {"model": "tiny"},
    )
    files = ("--benchmark", str(bench), "--generations", str(answers))
    assert typed("score", *files, "--out", str(scores)) == 0
    assert typed("runs", "add", *files, "--scores", str(scores), "--db", ward) == 0
    bank = _without_pulse_and_with_systolic_over_rate(tmp_path)
    capsys.readouterr()
    tried = ("templates", "regress", "--bank", str(bank))
    assert typed(*tried, *files, "--scores", str(scores), "--json") == 0
    by_files = json.loads(capsys.readouterr().out)
    assert typed(*tried, "--db", ward, "--json") == 0
    assert json.loads(capsys.readouterr().out) == by_files
    of_pulse = sum(one.template_id == PULSE for one in asked)
    assert by_files[0]["kinds"] == {"wording_changed": len(asked) - of_pulse, "withdrawn": of_pulse}
    (effect,) = by_files[0]["effects"]
    assert (effect["before"]["value"], effect["turned_wrong"]) == (1.0, effect["after"]["n"])
    assert typed(*tried, "--db", ward) == 0
    said = capsys.readouterr().out
    assert f"{of_pulse}  withdrawn: not in the new bank" in said
    assert "another wording: stored" in said
    assert typed("templates", "trace", PULSE, "--db", ward) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[1] == "version 1, validated"
    assert lines[2] == "contest: study six, generation g0, contest c0"
    release = read_release(tmp_path / "ward-1")
    assert f"release: ward-1, sha256 {release.sha256}" in lines
    assert any(f"made from release ward-1, sha256 {release.sha256}" in line for line in lines)
    assert lines[-1].startswith("run: tiny (tiny): accuracy 100.0 %")


def _without_pulse_and_with_systolic_over_rate(folder: Path) -> Path:
    """A bank of one template: the shock index turned upside down, in tree and wording."""
    found = next(one for one in load_bank() if one.id == SHOCK)
    content = found.model_dump(mode="json") | {"version": 2, "mistakes": [], "requires": [], "unit": None}
    of = content["tree"]["of"]
    of["left"], of["right"] = of["right"], of["left"]
    content["wording"] = ["What was the reverse shock index (systolic pressure / heart rate) at {time}?"]
    bank = folder / "turned"
    bank.mkdir()
    (bank / "arithmetic.yaml").write_text(json.dumps([content]))
    return bank
