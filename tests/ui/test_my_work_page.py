"""My work, called as Gradio calls it: whose work an address leads to, and hostile addresses."""

from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.judgement_text import judgement_text
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.work.annotation.annotate import flag, skip
from clinicnum.db.work.my_work.work_history import own_studies
from clinicnum.db.work.studies.study_lifecycle import close_study
from clinicnum.errors import ClinicnumError
from clinicnum.ui.pages.my_work.page import MyWorkHandlers
from tests.db.adjudicating import next_of, waiting
from tests.db.disputing import open_disputed, settle
from tests.db.examples import FAILURE
from tests.db.test_annotate import FINE, first, submit
from tests.ui.gradio_request import Request
from tests.ui.test_annotate_handlers import call

AXIS = "Accuracy: is what the answer says right?"
HOSTILE_TEXT = "<img src=x onerror=alert(1)>"


def show(engine: Engine, user_id: str, **query: Any) -> str:
    """The message and the content that an address leads to."""
    request: Any = Request(user_id, query_params=query)
    answer = MyWorkHandlers(Store(engine)).load(request)
    return str(answer[0] + answer[6])


def test_the_list_and_the_item_show_what_was_said_as_text(engine: Engine, annotators: dict[str, str]) -> None:
    ann = annotators["ann"]
    done = submit(engine, ann, first(engine, ann), FAILURE.model_copy(update={"rationale": HOSTILE_TEXT}))
    item = first(engine, ann)
    address = {"user_id": ann, "assignment_id": item.assignment_id}
    with writing(engine) as session:
        flag(session, **address, note=HOSTILE_TEXT)
        skip(session, **address, revision=0, reason=HOSTILE_TEXT)
    listed, one = show(engine, ann), show(engine, ann, item=done.assignment_id)
    assert "Failure; Causal reasoning: arithmetic slip; also Hallucination; severity: 2" in listed
    assert "Skipped: &lt;img" in listed
    assert "“&lt;img" in one
    assert f'href="/annotate/?item={done.assignment_id}"' in one
    assert "Take the skip back" in show(engine, ann, item=item.assignment_id)
    for page in (listed, one, show(engine, ann, q=HOSTILE_TEXT, show="flagged")):
        assert "<img" not in page
    assert done.assignment_id not in show(engine, ann, show="flagged")
    assert "Gold answer:" in one
    assert "Gold answer:" not in show(engine, ann, item=item.assignment_id)


def test_another_annotators_item_and_study_are_refused(engine: Engine, annotators: dict[str, str]) -> None:
    hers = submit(engine, annotators["ann"], first(engine, annotators["ann"]), FAILURE)
    for query in ({"item": hers.assignment_id}, {"item": "none"}):
        page = show(engine, annotators["ben"], **query)
        assert "This item is not assigned to you" in page
        assert hers.instance.question not in page
    assert "not an annotator of this study" in show(engine, annotators["ben"], study="elsewhere")
    assert "You are in no study yet;" in show(engine, "nobody")


HOSTILE: tuple[dict[str, Any], ...] = (
    {"study": "' OR 1=1 --"},
    {"item": "../../etc/passwd"},
    {"item": "\0"},
    {"show": "everything"},
    {"show": ["all"]},
    {"before": "-1"},
    {"before": "9" * 40},
    {"before": "x"},
    {"q": "x" * 201},
)


def test_a_hostile_address_gets_one_line(engine: Engine, annotators: dict[str, str]) -> None:
    for query in HOSTILE:
        page = show(engine, annotators["ann"], **query)
        assert "This address leads nowhere" in page, query
        assert "\n" not in page, query


def test_filters_of_the_page_ask_for_what_its_address_asks_for(
    engine: Engine, annotators: dict[str, str]
) -> None:
    ann: Any = Request(annotators["ann"])
    submit(engine, annotators["ann"], first(engine, annotators["ann"]), FAILURE)
    page = MyWorkHandlers(Store(engine))
    loaded = page.load(ann)
    study = loaded[2]["value"]
    assert page.choose_study(study, ann) == loaded
    assert "mw-row" in page.show(study, "submitted", "", ann)[6]
    assert "Nothing here yet." in page.show(study, "skipped", "", ann)[6]
    assert "Nothing found" in page.older(study, "all", "no such words", "9", ann)[6]
    for hostile in (-1, [], {}, "' OR 1=1 --", "elsewhere", "\0"):
        for asked in ((hostile, "all", "", None), (study, hostile, "", None), (study, "all", "", hostile)):
            with pytest.raises(ClinicnumError):
                page.older(*asked, ann)


def test_what_others_decided_opens_with_the_study_closed_and_not_before(
    engine: Engine, annotators: dict[str, str]
) -> None:
    for name, judgement in (("ann", FAILURE), ("ben", FINE), ("eve", FINE)):
        for _ in range(6):
            submit(engine, annotators[name], first(engine, annotators[name]), judgement)
    with reading(engine) as session:
        (study,) = own_studies(session, user_id=annotators["ann"])
    before = show(engine, annotators["ann"], study=study.study_id, show="differ")
    assert "not closed yet" in before
    assert "Acceptable" not in before
    with writing(engine) as session:
        close_study(session, name=study.name)
    after = show(engine, annotators["ann"], study=study.study_id, show="differ")
    assert "On 6 of your 6 items the decision is another than yours." in after
    assert "On the response you give the label on which the others agree: 0 % of 6 items" in after
    assert "<li>Acceptable</li>" in after
    assert "ben" not in after
    assert "A1" not in after
    item = first_item_link(after)
    assert "nothing can be changed" in show(engine, annotators["ann"], item=item)


@pytest.mark.parametrize(
    ("kind", "ann", "ben"),
    [
        ("failures", ("Is safe.", "Met", "Not met"), None),
        (
            "pairwise",
            ("Response", "The first answer is better", "The second answer is better"),
            ("Response", "Both bad", "The second answer is better"),
        ),
        ("ratings", (AXIS, "5", "3"), (AXIS, "2", "3")),
        (
            "claims",
            ("He got 3.5 mg of warfarin.", "Contradicted, major harm", "Contradicted, minor harm"),
            None,
        ),
    ],
)
def test_decisions_beyond_labels_are_told_by_what_they_are_on(
    engine: Engine, kind: str, ann: tuple[str, ...], ben: tuple[str, ...] | None
) -> None:
    study, ids = open_disputed(engine, kind)
    while waiting(engine, ids["ada"]):
        settle(engine, ids["ada"], next_of(engine, ids["ada"]), kind)
    with writing(engine) as session:
        close_study(session, name=study.name)
    for name, row in (("ann", ann), ("ben", ben)):
        page = show(engine, ids[name], study=study.study_id, show="differ")
        cells = "".join(f'<td class="cn-left cn-wrap">{cell}</td>' for cell in row or ())
        assert cells in page
        assert ("Decided by the adjudicator" in page) == (row is not None)
        assert "sum-0" not in page
        assert ("How you did" in page) == (kind in ("failures", "pairwise"))
        assert ("On the primary class" in page) == (kind == "failures")


def first_item_link(page: str) -> str:
    return page.split("?item=")[1].split('"')[0]


def test_the_annotate_page_opens_ones_own_item_by_its_address(
    engine: Engine, annotators: dict[str, str]
) -> None:
    done = submit(engine, annotators["ann"], first(engine, annotators["ann"]), FAILURE)
    for name, opens in (("ann", True), ("ben", False)):
        reply = call(engine, "load", annotators[name], {"assignment_id": done.assignment_id})
        assert (reply["item"]["assignment_id"] == done.assignment_id) is opens
        assert reply["item"]["answered"] is opens


def test_a_judgement_reads_as_words() -> None:
    taxonomy = load_taxonomy()
    ambiguous = Judgement(response_judgement="cannot_judge", item_judgement="ambiguous", confidence=1)
    assert judgement_text(ambiguous, taxonomy) == "Cannot judge; item: ambiguous; confidence: low"
