"""A slice of the explore page becomes the sample of a study, and what the report of it then says."""

from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.report.build import build_report
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading
from clinicnum.db.rows import InstanceRow, StudyItemRow, StudyScoreRow
from clinicnum.db.rows.benchmarks_and_runs import GenerationRow
from clinicnum.db.work.explore.explore_page_data import Explorer
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.db.work.studies.study_lifecycle import design_of, find_study
from clinicnum.ui.pages.explore.slice_actions import SliceUseHandlers
from tests.db.adjudicating import add_role
from tests.db.curating import SLIP, add_graded, failing
from tests.db.examples import add_users
from tests.db.test_annotate import submit
from tests.db.test_contests import maybe_next
from tests.ui.gradio_request import Request
from tests.ui.new_study_form import form, new_study
from tests.ui.test_explore_page import runs, values

WORDS = "template: arithmetic.bp_sum; wrong answers; with the words 'something' in question or answer"


def from_the_slice(engine: Engine, rea: Request) -> tuple[Request, list[str]]:
    """The request that the explore page leads to, and the runs."""
    known = list(runs(engine, rea.username).values())
    where = {"template": ("arithmetic.bp_sum",), "correct": ("no",)}
    asked = values(runs=tuple(known[:2]), where=where, search="something")
    _, path = SliceUseHandlers(Store(engine), Explorer()).make_study(*asked)
    return Request(rea.username, query_params=dict(parse_qsl(urlsplit(path).query))), known[:2]


def test_a_slice_becomes_the_sample_of_a_study_and_design_and_report_say_so(engine: Engine) -> None:
    people = {user.name: user.user_id for user in add_users(engine)}
    rea = Request(add_role(engine, "rea", "researcher"))
    add_graded(engine, 3)
    request, chosen = from_the_slice(engine, rea)
    making = new_study(engine)
    _, _, shown, of_runs, _, _, _, _, _, slice_, note, tabs = making.load_choices(request)  # type: ignore[arg-type]
    assert (shown["visible"], of_runs["value"]) == (True, chosen)
    assert tabs.selected == "new"
    assert "7 answers" in note
    fields: dict[str, Any] = {"runs": chosen, "slice": slice_, "overlap": 2, "include": "all"}
    previewed = making.preview(rea, *form(engine, **fields))[3]  # type: ignore[arg-type]
    assert "is open: 7 items" in making.create(rea, previewed, *form(engine, **fields))[0]  # type: ignore[arg-type]
    with reading(engine) as session:
        study = find_study(session, "new")
        assert design_of(study).where.slice == WORDS
        drawn = session.execute(
            select(col(InstanceRow.template_id), col(StudyItemRow.inclusion_probability))
            .join(GenerationRow, col(GenerationRow.instance) == col(InstanceRow.id))
            .join(StudyItemRow, col(StudyItemRow.generation) == col(GenerationRow.id))
        ).all()
        assert {(template, chance) for template, chance in drawn} == {("arithmetic.bp_sum", 1.0)}
        assert len(session.scalars(select(StudyScoreRow)).all()) == 24, "accuracy counts all answers"
    for name in ("ann", "ben"):
        while (item := maybe_next(engine, people[name])) is not None:
            submit(engine, people[name], item, failing(SLIP))
    with reading(engine) as session:
        report = build_report(load_study_tables(session, "new"), generated_by="test")
    (methods,) = (one for one in report.sections if one.id == "methods")
    told = " ".join(methods.paragraphs)
    assert "drawn from one slice of the generations alone, which was chosen after looking at" in told
    assert WORDS in told
    assert "says nothing of generations outside it" in told


def test_only_the_runs_that_the_slice_came_from_are_ticked(engine: Engine) -> None:
    add_users(engine)
    rea = Request(add_role(engine, "rea", "researcher"))
    add_graded(engine, 3)
    known = list(runs(engine, rea.username).values())
    asked = values(runs=tuple(known), where={"run": (known[1],), "correct": ("no",)})
    _, path = SliceUseHandlers(Store(engine), Explorer()).make_study(*asked)
    request = Request(rea.username, query_params=dict(parse_qsl(urlsplit(path).query)))
    assert new_study(engine).load_choices(request)[3]["value"] == [known[1]]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("no_such=x", "no facet"),
        ("template=no+such", "No answer is in this slice"),
        ("&".join(["tag=x"] * 6000), "more choices"),
    ],
)
def test_a_slice_that_cannot_be_used_is_said_and_the_form_is_there(
    engine: Engine, where: str, said: str
) -> None:
    add_users(engine)
    rea = Request(add_role(engine, "rea", "researcher"))
    add_graded(engine, 1)
    request, _ = from_the_slice(engine, rea)
    request.query_params["where"] = where
    _, _, shown, _, _, _, _, _, _, slice_, note, _ = new_study(engine).load_choices(request)  # type: ignore[arg-type]
    assert (shown["visible"], slice_) == (True, "")
    assert said in note
