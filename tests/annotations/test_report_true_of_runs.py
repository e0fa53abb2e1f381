"""Sentences on what kind of runs a report compares."""

from typing import Any

from clinicnum.annotations.report.model_run import ModelRun, asked_differently, one_model_asked_twice
from clinicnum.annotations.report.sections.grras_sample import planned
from clinicnum.annotations.study_design import Design
from tests.annotations.report_example import study


def _run(name: str, *, model: str | None = None, imported: bool = False, most: int | None = None) -> ModelRun:
    return ModelRun(name, (), model=model, imported=imported, most_tokens=most)


def test_two_runs_of_one_model_are_said_to_be_that() -> None:
    runs = (_run("small, plain", model="f1"), _run("large", model="f2"), _run("small, shown", model="f1"))
    assert one_model_asked_twice(runs) == (
        " “small, plain” and “small, shown” are runs of one model: see “Where this comes from”."
    )
    assert one_model_asked_twice(runs[1:]) == ""
    assert one_model_asked_twice((_run("a"), _run("b"))) == ""


def test_runs_that_were_not_asked_alike_are_said_to_be_that() -> None:
    ours, theirs = _run("ours", most=32), _run("theirs", imported=True)
    assert asked_differently((ours, theirs)) == (
        " The runs were not all asked alike: ours at most 32 new tokens, prompt and limit of theirs, made "
        "elsewhere, are not recorded."
    )
    assert asked_differently((ours, _run("longer", most=256))) == (
        " The runs were not all asked alike: ours at most 32 new tokens, longer at most 256 new tokens."
    )
    assert asked_differently((ours, _run("as long", most=32))) == ""
    assert asked_differently((theirs, _run("others", imported=True))) == ""


def test_the_numbers_that_the_draw_was_asked_for_are_told() -> None:
    tables = study()
    wanted: tuple[tuple[dict[str, Any], str], ...] = (
        ({"size": 80, "correct_share": 0.15}, "planned: 80 generations, 15 % of them scored right; drawn: "),
        (
            {"size": 28, "include": "incorrect", "variants": 48},
            "planned: 28 generations and 48 answers to variants; drawn: ",
        ),
        ({}, ""),
    )
    for asked, told in wanted:
        assert planned(tables.model_copy(update={"design": Design(**asked)})) == told
    right = [
        one.model_copy(update={"stratum": "a/b/correct", "probability": 1.0}) for one in tables.inclusions[:2]
    ]
    scarce = {"inclusions": (*right, *tables.inclusions[2:]), "design": Design(size=80, correct_share=0.15)}
    assert planned(tables.model_copy(update=scarce)).endswith(
        "; drawn (fewer, as no more than 2 are scored right): "
    )
