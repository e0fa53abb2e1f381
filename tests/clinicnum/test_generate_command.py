"""`clinicnum generate` and `clinicnum templates`, as a user runs them."""

import copy
import json
import re
from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.io.jsonl import read_jsonl, read_meta, sha256_file
from clinicnum.scripts.commands import generate as generate_module
from clinicnum.scripts.commands import templates as templates_module
from clinicnum.templates.parse_template import yaml_of
from clinicnum.types import Instance
from tests.clinicnum.sound_templates import SOUND
from tests.open_data import DATA


def run(**flags: object) -> None:
    generate_module.generate(**flags)  # type: ignore[arg-type]


def test_the_small_preset_is_48_instances_with_a_meta(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bench.jsonl"
    run(out=out, as_json=True)
    printed = capsys.readouterr()
    meta = read_meta(out)
    assert json.loads(printed.out) == meta
    assert meta is not None
    assert meta["sha256"] == sha256_file(out)
    assert (meta["kind"], meta["source"], meta["credentialed"], meta["preset"]) == (
        "benchmark",
        "synthetic",
        False,
        "small",
    )
    found = list(read_jsonl(out, Instance))
    assert len(found) == 48 == meta["counts"]["instances"]
    assert {i.benchmark_id for i in found} == {meta["benchmark_id"]}
    assert len({i.template_id for i in found}) == 15
    assert "48 instances" in printed.err
    assert "V2." in printed.err


def test_the_meta_names_templates_that_are_not_proven_or_not_reviewed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound, odd = (copy.deepcopy(SOUND["value"]) for _ in range(2))
    sound |= {"id": "retrieval.proven", "status": "validated"}
    odd |= {
        "id": "retrieval.odd",
        "status": "unreviewed",
        "wording": ["At {time}, which systolic did they chart?"],
    }
    (tmp_path / "mine.yaml").write_text(yaml_of(sound) + yaml_of(odd), encoding="utf-8")
    run(out=tmp_path / "bench.jsonl", bank=str(tmp_path))
    meta = read_meta(tmp_path / "bench.jsonl")
    assert meta is not None
    assert meta["doubts"] == {"unproven": ["retrieval.odd"], "unreviewed": ["retrieval.odd"]}
    told = capsys.readouterr().err
    assert "not proven to ask what the rule computes: 1 of 2" in told
    assert "no expert has reviewed: 1 of 2" in told


def test_a_wording_that_contradicts_its_rule_is_refused(tmp_path: Path) -> None:
    wrong = SOUND["value"] | {"status": "unreviewed", "wording": ["What was the heart rate at {time}?"]}
    (tmp_path / "mine.yaml").write_text(yaml_of(wrong), encoding="utf-8")
    with pytest.raises(
        InputError, match="the wording contradicts the rule: it says heart rate; the rule has sys"
    ):
        run(out=tmp_path / "bench.jsonl", bank=str(tmp_path))
    assert not (tmp_path / "bench.jsonl").exists()


def test_an_exact_copy_of_a_template_is_refused(tmp_path: Path) -> None:
    one, other = (SOUND["value"] | {"id": f"retrieval.{name}", "version": 1 + (name == "b")} for name in "ab")
    (tmp_path / "mine.yaml").write_text(yaml_of(one) + yaml_of(other), encoding="utf-8")
    with pytest.raises(
        InputError, match=r"retrieval\.b says what retrieval\.a says at .*mine.yaml:1; remove one"
    ):
        run(out=tmp_path / "bench.jsonl", bank=str(tmp_path))


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    run(out=tmp_path / "a.jsonl", seed=4)
    run(out=tmp_path / "b.jsonl", seed=4)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert read_meta(tmp_path / "a.jsonl") == read_meta(tmp_path / "b.jsonl")


def test_the_open_demo_is_not_credentialed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "bench.jsonl"
    run(source="mimic-iv-ed", path=DATA, preset="paper", representation="structured", out=out)
    meta = read_meta(out)
    assert meta is not None
    assert (meta["source"], meta["credentialed"], meta["scope"]) == ("mimic-iv-ed-demo", False, "subject")
    assert meta["cleaning"]["temperature_c.from_fahrenheit"] == 543
    assert meta["dropped_rows"]["lacks.temperature_c"] == 459
    assert "the published benchmark has 1,624" in capsys.readouterr().err
    shock = [i for i in read_jsonl(out, Instance) if i.template_id == "arithmetic.shock_index"]
    assert {i.decimals for i in shock} == {1}
    assert all("one decimal" in i.question for i in shock)


def test_explain_shows_the_working_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bench.jsonl"
    run(out=out)
    first = next(read_jsonl(out, Instance))
    before = out.read_bytes()
    capsys.readouterr()
    run(out=out, explain=first.instance_id)
    from_file = capsys.readouterr().out
    run(explain=first.instance_id)
    assert from_file == capsys.readouterr().out
    assert f"answer: {first.answer}" in from_file
    assert all(step in from_file for step in (*first.worked, first.context, first.question))
    assert out.read_bytes() == before
    with pytest.raises(InputError, match="no instance 'nothing'"):
        run(explain="nothing")


def test_every_template_is_listed_with_its_flags_and_baselines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bench.jsonl"
    run(out=out, bank="all", quota="arithmetic=40,aggregation=20", as_json=True)
    printed = capsys.readouterr()
    meta = json.loads(printed.out)
    assert meta["counts"]["questions"] == {"arithmetic": 40, "aggregation": 20}
    assert set(meta["counts"]["templates"]) == set(meta["baselines"])
    four = {"first_record", "last_record", "zero", "majority"}
    assert all(set(shares) == four for shares in meta["baselines"].values())
    for name in meta["counts"]["templates"]:
        assert re.search(
            rf"^{re.escape(name)} +\d+ +\d+ %( +(\d+ %|-)){{4}}$", printed.err, flags=re.MULTILINE
        ), name


FAULTS = {
    "no out": ({}, "--out is missing"),
    "an unknown source": ({"source": "mimic"}, "--source: got 'mimic'; expected one of synthetic"),
    "an unknown preset": ({"preset": "huge"}, "--preset: got 'huge'"),
    "an unknown representation": ({"representation": "table"}, "--representation: got 'table'"),
    "an unknown scope": ({"scope": "ward"}, "--scope: got 'ward'"),
    "a source without its path": ({"source": "mimic-iv-ed"}, "--path is missing"),
    "a path without a source": ({"path": Path("x")}, "--path is for mimic-iv-ed"),
    "a missing folder": ({"source": "mimic-iv-ed", "path": Path("nowhere")}, "nowhere: no such folder"),
    "a missing CSV": (
        {"source": "csv", "path": Path("no.csv"), "columns": "spo2_pct=S"},
        "no.csv: no such file",
    ),
    "columns without a CSV": ({"columns": "spo2_pct=S"}, "--columns is for --source csv"),
    "a missing bank": ({"bank": "nobank"}, "nobank: no such folder"),
    "open data without a CSV": ({"open_data": True}, "--open-data is for --source csv"),
    "a quota of nothing known": ({"quota": "sums=4"}, "--quota: got 'sums=4'; expected operation=questions"),
    "notes over several visits": ({"notes": Path("n.txt"), "scope": "subject"}, "a note tells of one visit"),
    "missing notes": ({"notes": Path("no.jsonl")}, "no.jsonl: no such file"),
    "an unknown variant": ({"variants": "input.noise"}, "--variants: .*input.noise"),
}


@pytest.mark.parametrize(("flags", "message"), FAULTS.values(), ids=FAULTS.keys())
def test_bad_input_is_one_line_and_leaves_nothing(
    tmp_path: Path, flags: dict[str, object], message: str
) -> None:
    out = {} if message.startswith("--out") else {"out": tmp_path / "bench.jsonl"}
    with pytest.raises(InputError, match=message) as caught:
        run(**out, **flags)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_out_folder_is_found_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder that exists"):
        run(source="mimic-iv-ed", path=Path("nowhere"), out=tmp_path / "no" / "bench.jsonl")


def test_records_without_a_question_leave_no_file(tmp_path: Path) -> None:
    table = tmp_path / "one.csv"
    table.write_text("subject_id,stay_id,charttime,HR\n1,2,2150-01-01 00:00:00,88\n", encoding="utf-8")
    with pytest.raises(InputError, match="no valid question"):
        run(source="csv", path=table, columns="heart_rate_bpm=HR", out=tmp_path / "bench.jsonl")
    assert list(tmp_path.iterdir()) == [table]


def test_templates_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    templates_module.list_all()
    assert capsys.readouterr().out.endswith("42 templates\n")
    templates_module.list_all(as_json=True)
    assert len(json.loads(capsys.readouterr().out)) == 42
