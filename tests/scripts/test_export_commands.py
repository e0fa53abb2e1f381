"""`export` and `verify` as they are typed, on one study: its files and its bundle."""

import json
import zipfile
from pathlib import Path

import pytest
from sqlalchemy import update

from clinicnum.annotations.bundle.archive import pack
from clinicnum.annotations.bundle.bundle_file_paths import MANIFEST, SUMS
from clinicnum.annotations.bundle.manifest import with_hashes
from clinicnum.db.engine import make_engine, writing
from clinicnum.db.rows import ContestRow
from clinicnum.io.jsonl import write_jsonl
from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands.common.open_database import using_database
from tests.db.adjudicating import add_role, decide_all
from tests.db.examples import add_users, material
from tests.scripts.study_made import Made, make_study, write_all

LISTS = (MANIFEST, SUMS)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return make_study(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="module")
def written(made: Made) -> Path:
    return write_all(made)


def test_a_fresh_bundle_verifies_without_a_database_and_says_where_it_comes_from(
    written: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLINICNUM_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    assert run_command(["verify", str(written / "made.zip"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["whole"], found["faults"], found["study"]) == (True, [], "made")
    assert found["figures"] > 500
    *kinds, anchored = [note.partition(",")[0] for note in found["notes"]]
    assert kinds == [
        "benchmark: the very file that was run",
        "run run-of-made-up: the very file that was scored",
        "scores: 36 of 36 are what the scorer of this version gives",
    ]
    assert anchored.startswith("audit log: anchored on ")
    names = zipfile.ZipFile(written / "made.zip").namelist()
    assert {"templates/bank/arithmetic.yaml", "raw/taxonomy.yaml", "guideline.md"} <= set(names)
    assert not any(b"simulated-1" in zipfile.ZipFile(written / "made.zip").read(name) for name in names)


def test_a_changed_byte_ends_with_exit_code_1_and_the_files_name(
    written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zipfile.ZipFile(written / "made.zip").extractall(tmp_path / "unpacked")
    assert run_command(["verify", str(tmp_path / "unpacked")]) == 0
    assert "figures recomputed from the raw rows and equal" in capsys.readouterr().out
    changed = tmp_path / "unpacked" / "raw" / "generations.jsonl"
    content = bytearray(changed.read_bytes())
    content[99] ^= 1
    changed.write_bytes(content)
    assert run_command(["verify", str(tmp_path / "unpacked")]) == 1
    said = capsys.readouterr()
    assert said.err.startswith(f"error: {tmp_path / 'unpacked'}: raw/generations.jsonl: was changed: ")
    assert len(said.err.splitlines()) == 1


def test_the_same_study_gives_the_same_bytes_again(made: Made, written: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    arguments = ("--out", str(again), "--format", "csv,jsonl,parquet,xlsx,label-studio")
    bundle = ("--bundle", str(tmp_path / "again.zip"))
    assert made.run("export", "--study", made.study, *arguments, *bundle) == 0
    assert (tmp_path / "again.zip").read_bytes() == (written / "made.zip").read_bytes()
    files = [path.relative_to(again) for path in again.rglob("*") if path.is_file()]
    assert len(files) == 23
    for path in files:
        assert (again / path).read_bytes() == (written / "export" / path).read_bytes(), path


def test_own_templates_and_guideline_go_into_the_bundle(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK

    rules = tmp_path / "rules.pdf"
    rules.write_bytes(b"%PDF-1.7 \x00\xff")
    bundle = tmp_path / "own.zip"
    common = ("export", "--study", made.study, "--bundle", str(bundle))
    assert made.run(*common, "--bank", str(BASE_BANK), "--guideline", str(rules)) == 0
    assert zipfile.ZipFile(bundle).read("guideline/rules.pdf") == rules.read_bytes()
    assert run_command(["verify", str(bundle)]) == 0
    capsys.readouterr()
    bundle.unlink()
    assert made.run(*common, "--bank", str(EXTENDED_BANK)) == 2
    assert "not the templates that the benchmark was made from" in capsys.readouterr().err
    assert not bundle.exists()


def test_credentialed_records_need_a_flag_and_the_bundle_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'c.db'}"
    made = Made(tmp_path, url, "c")
    with using_database(url) as engine:
        add_users(engine)
    example = material()
    write_jsonl(tmp_path / "b.jsonl", example.instances, {"credentialed": True})
    write_jsonl(tmp_path / "g.jsonl", example.generations())
    write_jsonl(tmp_path / "s.jsonl", example.scores)
    files = ("--benchmark", str(tmp_path / "b.jsonl"), "--generations", str(tmp_path / "g.jsonl"))
    who = ("--scores", str(tmp_path / "s.jsonl"), "--annotators", "ann,ben,eve")
    assert made.run("study", "create", "--name", "c", *files, *who) == 0
    bundle = tmp_path / "c.zip"
    for asked in (("--bundle", str(bundle)), ("--out", str(tmp_path / "o"), "--format", "csv,label-studio")):
        capsys.readouterr()
        assert made.run("export", "--study", "c", *asked) == 2
        assert "rests on records that are not open" in capsys.readouterr().err
    assert not bundle.exists()
    assert not (tmp_path / "o").exists()
    assert made.run("export", "--study", "c", "--out", str(tmp_path / "o")) == 0
    assert made.run("export", "--study", "c", "--bundle", str(bundle), "--allow-credentialed") == 0
    archive = zipfile.ZipFile(bundle)
    about = json.loads(archive.read("manifest.json"))
    assert about["credentialed"] is True
    assert about["data_use"].startswith("data not known to be open: ")
    assert "data not known to be open: " in archive.read("report/DATA_USE.md").decode()
    assert "**data not known to be open: " in archive.read("README.md").decode()
    assert run_command(["verify", str(bundle)]) == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        pytest.param((), "nothing to write: give --out FOLDER", id="nowhere to write"),
        pytest.param(
            ("--out", "o", "--format", "csv,docx"), "--format 'csv,docx' is not known", id="a format"
        ),
        pytest.param(("--out", "o", "--bank", "b"), "go into a bundle", id="a bank without a bundle"),
        pytest.param(("--bundle", "b.zip", "--guideline", "none"), "none: no such file", id="no guideline"),
        pytest.param(("--bundle", "no/where/b.zip"), "make the folder first", id="no folder"),
        pytest.param(("--bundle", "b.zip", "--bank", "none"), "none: no such folder", id="no bank"),
        pytest.param(("--out", __file__), "is a file; expected a folder", id="a file as folder"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    made: Made,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    assert made.run("export", "--study", made.study, *arguments) == 2
    said = capsys.readouterr()
    assert complaint in said.err
    assert (said.out, len(said.err.splitlines()), list(tmp_path.iterdir())) == ("", 1, [])


def test_what_is_no_bundle_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.zip").write_bytes(b"text")
    for path, complaint in (
        (tmp_path / "none.zip", "no such file"),
        (tmp_path / "x.zip", "not a whole bundle"),
    ):
        assert run_command(["verify", str(path)]) == 2
        assert complaint in capsys.readouterr().err


def test_files_of_a_study_that_is_not_closed_are_said_to_break_its_blinding(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    export = ("export", "--study", made.study, "--bundle")
    assert made.run(*export, str(tmp_path / "open.zip")) == 0
    assert "these files name models and rounds" in capsys.readouterr().err
    assert made.run("study", "close", made.study) == 0
    assert made.run(*export, str(tmp_path / "due.zip")) == 0
    assert "is not decided to the end: these files name models" in capsys.readouterr().err
    engine = make_engine(made.url)
    decide_all(engine, add_role(engine, "judge"))
    with writing(engine) as session:
        session.execute(update(ContestRow).values(status="withdrawn"))
    assert made.run(*export, str(tmp_path / "closed.zip")) == 0
    assert "name models" not in capsys.readouterr().err
    opened = []
    for name in ("open", "closed"):
        with zipfile.ZipFile(tmp_path / f"{name}.zip") as archive:
            (study,) = [one for one in archive.namelist() if one.endswith("raw/study.json")]
            opened.append(json.loads(archive.read(study))["opened"])
        assert run_command(["verify", str(tmp_path / f"{name}.zip")]) == 0
        assert "audit log: anchored on" in capsys.readouterr().out
    assert (opened[0]["seed"], opened[0]["secret"]) == (None, None)
    assert [len(opened[1][name]) for name in ("seed", "secret")] == [32, 64]
    assert made.run("study", "reopen", made.study) == 0


def test_a_forged_anchor_in_a_bundle_is_a_fault_and_a_bundle_without_one_says_so(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = tmp_path / "a.zip"
    assert made.run("export", "--study", made.study, "--bundle", str(bundle)) == 0
    with zipfile.ZipFile(bundle) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    name = next(one for one in files if one.endswith("audit/anchor.json"))
    about = {
        key: value
        for key, value in json.loads(files["manifest.json"]).items()
        if key not in ("format", "files")
    }
    forged = files | {name: files[name].replace(b'"rows":', b'"rows":1')}
    for other, told, code in (
        (forged, "does not have the signature of the key", 1),
        ({one: content for one, content in files.items() if "audit/" not in one}, "README.md: differs", 1),
    ):
        bundle.write_bytes(pack(with_hashes({k: v for k, v in other.items() if k not in LISTS}, about)))
        capsys.readouterr()
        assert run_command(["verify", str(bundle)]) == code
        said = capsys.readouterr()
        assert told in said.out + said.err
    monkeypatch.setenv("CLINICNUM_AUDIT_DIR", str(bundle / "no folder"))
    assert made.run("export", "--study", made.study, "--bundle", str(tmp_path / "b.zip")) == 0
    assert "warning: the audit log is not anchored" in capsys.readouterr().err
    assert run_command(["verify", str(tmp_path / "b.zip")]) == 0
    assert "the bundle holds no anchor of it" in capsys.readouterr().out
