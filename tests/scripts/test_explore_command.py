"""`clinicnum explore` and `clinicnum.slice_accuracy`: the figures of the page, by the same functions."""

import json

import pandas as pd
import pytest
from sqlalchemy import Engine

import clinicnum
from clinicnum.annotations.explore.slice_accuracy import accuracy_by
from clinicnum.errors import InputError
from clinicnum.scripts.cli import run_command
from clinicnum.scripts.dev import bench_explore
from tests.db.adjudicating import add_role
from tests.db.curating import add_graded
from tests.db.test_explore import opened


@pytest.fixture
def address(engine: Engine) -> str:
    add_graded(engine, 3)
    return engine.url.render_as_string(hide_password=False)


def test_the_command_prints_the_slices_of_stored_runs(
    engine: Engine, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [
        "explore",
        "--db",
        address,
        "--run",
        "run0",
        "--run",
        "run1",
        "--by",
        "template",
        "--by",
        "vital",
    ]
    assert run_command([*asked, "--where", "correct=no", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["facet"] for row in rows} == {"template", "vital"}
    assert {row["accuracy"] for row in rows} == {0.0}
    assert run_command([*asked, "--json"]) == 0
    of_page = opened(engine, add_role(engine, "rea", "researcher"), where={"run": []})
    both = of_page.frame.choose({"model": ["acme/Model-0", "acme/Model-1"]})
    expected = [
        (one.value, one.n, one.correct) for one in accuracy_by(of_page.frame, "template", within=both).rows
    ]
    rows = json.loads(capsys.readouterr().out)
    assert [
        (row["value"], row["n"], row["correct"]) for row in rows if row["facet"] == "template"
    ] == expected
    assert run_command([*asked, "--search", "pulse"]) == 0
    printed = capsys.readouterr().out
    assert "arithmetic.pulse_pressure" in printed
    assert "arithmetic.bp_sum" not in printed
    assert "not corrected for the number of slices" in printed


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--by", "no_such"], "no facet 'no_such'"),
        (["--by", "model", "--where", "operation"], "expected FACET=VALUE"),
        (["--by", "model", "--where", "no_such=x"], "condition 'no_such=x' cannot be read"),
    ],
)
def test_a_wrong_facet_is_refused_in_one_line(
    address: str, more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["explore", "--db", address, "--run", "run0", *more]) == 2
    error = capsys.readouterr().err.strip()
    assert said in error
    assert "\n" not in error


def test_a_notebook_gets_slices_as_a_frame() -> None:
    benchmark = clinicnum.generate(quota="retrieval=20,arithmetic=20", representation="all")
    answers = benchmark.to_frame()[["instance_id", "operation", "answer"]]
    right = answers["operation"] == "retrieval"
    given = pd.DataFrame(
        {"instance_id": answers["instance_id"], "text": answers["answer"].where(right, "no")}
    )
    scores = clinicnum.score(benchmark, given)
    table = clinicnum.slice_accuracy(scores, by=["operation", "representation"]).set_index(["facet", "value"])
    assert table.loc[("operation", "retrieval"), "accuracy"] == 1.0
    assert table.loc[("operation", "arithmetic"), "difference"] == -1.0
    assert table.loc[("representation", "note"), "n"] == 40
    part = clinicnum.slice_accuracy(scores, by=["template"], where={"operation": ["retrieval"]})
    assert (part["n"].sum(), set(part["accuracy"])) == (60, {1.0})
    with pytest.raises(InputError, match="no facet 'color'"):
        clinicnum.slice_accuracy(scores, by=["color"])


def test_the_benchmark_of_the_page_runs_small(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["bench_explore", "--small"])
    bench_explore.main()
    printed = capsys.readouterr().out
    assert "400 generations of 2 models" in printed
    assert printed.count("p95") == 7
