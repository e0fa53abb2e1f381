"""The handlers of the review pages on a real database, called as the pages call them, and by strangers."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.curation.review_sheet import comment_subject
from clinicnum.annotations.role_rights import may
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import ReviewRow
from clinicnum.db.work.bank import template_versions
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.ui.pages.review import view as sheet_view
from clinicnum.ui.pages.review_rounds.event_inputs import version_key
from tests.db.reviewing import EXPERTS, PULSE, hand_in, make_people, of_the_bank, send_to_review
from tests.ui.review_desk import SHEET, VERSION, Desk, fields, opened, shown, values


@pytest.fixture
def desk(engine: Engine) -> Desk:
    people = make_people(engine)
    send_to_review(engine, people)
    return Desk(engine, people)


def test_a_round_goes_from_invitation_to_a_verdict_through_both_pages(desk: Desk) -> None:
    cora = desk.as_("cora")
    _, version, panel, people, others, told, start = desk.rounds.choose_version(cora, VERSION)
    assert (version["value"], panel["visible"], start["interactive"]) == (VERSION, True, False)
    assert [name for _, name in people["choices"]] == ["ada", "ann", "ben", "eve"]
    assert {"cora", "carl"} == {row[0] for row in others["value"]}
    assert "3 to 10 experts" in told
    _, told, start = desk.rounds.choose_experts([*EXPERTS, "a", "b", "c"])
    assert (told, start["interactive"]) == ("6 chosen: 5 of them must rate 3 or 4 on each scale.", True)
    key = opened(desk)
    assert desk.show(key)["notice"], "what experts say is hidden until all have submitted"
    for name in EXPERTS:
        who = desk.as_(name)
        _, nothing, table, chosen, *_ = desk.review.load(who)
        assert (nothing, table["value"][0][2]) == ("", "not started")
        assert [one for _, one in chosen["choices"]] == [key]
        sheet = {**SHEET, "answers": desk.answers(key, name), "comments": {"2": f"which arm? {name}"}}
        _, saved, missing = desk.review.save(who, key, *fields(sheet))
        assert (saved[:8], missing) == ("Saved at", "")
        assert values(desk.review.open_review(who, key)) == fields(sheet)
        assert desk.review.ask(who, key, *fields(sheet))[1]["visible"] is True
        done = desk.review.submit(who, key, *fields(sheet))
        assert sheet_view.SUBMITTED in done[0]
        assert sheet_view.FINAL in done[5]
    board = desk.show(key)
    assert board["ratings"]["value"]["headers"] == [
        "Scale",
        *("Expert 1", "Expert 2", "Expert 3"),
        *("I-CVI", "Chance agreement", "Modified kappa"),
    ]
    indices = ["1.000", "0.125", "1.000 (excellent)"]
    assert board["ratings"]["value"]["data"][2] == ["Answerability", "3", "3", "3", *indices]
    assert board["figures"].startswith("S-CVI/Ave 1.000, S-CVI/UA 1.000, over 3 scales.")
    assert (board["comments"]["label"], board["accept"]["interactive"]) == ("Comments: 3 to answer", False)
    with pytest.raises(ClinicnumError, match="3 comments without an answer"):
        desk.rounds.accept(cora, key)
    assert {row[1] for row in board["comments"]["value"]} == {"Question 2"}
    for _, remark in board["comment"]["choices"]:
        *answer, field = desk.rounds.reply(cora, key, remark, "The left.")
        assert field == ""
    assert shown(tuple(answer), 3)["accept"]["interactive"] is True
    done = desk.rounds.accept(cora, key)
    # The trial is the real one here: 200 questions on the sample patients.
    assert f"{PULSE} version 2 is validated." in done[0]
    assert shown(done, 3)["closing"]["visible"] is False
    assert desk.review.open_review(desk.as_("ann"), key)[-5]["value"][0][2] == "The left."


def test_the_address_names_a_round_or_a_version_to_review(desk: Desk) -> None:
    _, tabs, *rest = desk.rounds.load(desk.as_("cora", template=PULSE, version="2"))
    assert tabs["selected"] == "new"
    assert rest[-6]["value"] == VERSION
    key = opened(desk)
    _, tabs, table, chosen, *rest = desk.rounds.load(desk.as_("cora", round=key))
    assert ("selected" in tabs, chosen["value"], len(table["value"])) == (False, key, 1)
    assert "Round 1, 0 of 3 submitted" in rest[1]
    clicked: Any = SimpleNamespace(row_value=table["value"][0])
    assert desk.rounds.select_round(desk.as_("cora"), clicked)[1] == key
    row: Any = SimpleNamespace(index=[0, 1])
    assert desk.review.select_row(desk.as_("ann"), row)[1] == key
    assert values(desk.review.load(desk.as_("ann", round=key))) == fields({})
    for odd in ({"round": "<b>"}, {"template": "<b>", "version": "x"}):
        said, _, table, *_ = desk.rounds.load(desk.as_("cora", **odd))
        assert ("cn-note" in said, len(table["value"])) == (True, 1), odd
    for unknown in ("zzz", "f" * 16):
        said = desk.rounds.load(desk.as_("cora", round=unknown))[0]
        assert f"There is no round “{unknown}”; choose one of those there are." in said
    said, _, table, *_ = desk.review.load(desk.as_("ann", round="f" * 16))
    assert ('role="alert"' in said, len(table["value"])) == (True, 1)


def test_an_expert_learns_neither_gold_nor_what_others_say_however_they_call(desk: Desk) -> None:
    key = opened(desk)
    hand_in(desk.engine, key, desk.people["ben"], comments={"clarity": "SECRET REMARK"})
    who, mine = desk.as_("ann"), fields({**SHEET, "answers": {"1": "1", "2": "2", "3": "3"}})
    answers = [
        desk.review.open_review(who, key),
        desk.review.save(who, key, *mine),
        desk.review.ask(who, key, *mine),
        desk.review.submit(who, key, *mine),
        desk.review.open_review(who, key),
        desk.review.load(who),
        desk.review.load(desk.as_("ann", round=key)),
    ]
    told = json.dumps(answers)
    with reading(desk.engine) as session:
        cases = session.get_one(ReviewRow, (key, desk.people["ann"])).cases
    for case in cases:
        assert case["worked"][-1] not in told
        assert case["instance_id"] not in told
    for word in ("SECRET", "answer_exact", "distractors", "evidence", "matches", "gold", "ben", "eve"):
        assert word not in told.replace("benchmark", ""), word
    with pytest.raises(ClinicnumError, match="not invited"):
        desk.review.open_review(desk.as_("ada"), key)


def test_who_may_not_curate_or_review_changes_nothing(desk: Desk) -> None:
    key = opened(desk)
    before, page = desk.stored(), desk.rounds
    for name in ("ann", "ada"):
        who = desk.as_(name)
        steps: list[Callable[[], Any]] = [
            partial(page.load, who),
            partial(page.start, who, VERSION, list(EXPERTS)),
            partial(page.choose_version, who, VERSION),
            partial(page.find, who, ""),
            partial(page.invite, who, key, "ada"),
            partial(page.withdraw, who, key, "ann"),
            partial(page.reply, who, key, "0" * 16, "x"),
            partial(page.accept, who, key),
            partial(page.give_back, who, key, "x"),
            partial(page.open_round, who, key),
        ]
        for step in steps:
            with pytest.raises(ClinicnumError, match="may not curate"):
                step()
    with pytest.raises(ClinicnumError, match="may not review"):
        desk.review.load(desk.as_("root"))
    assert desk.stored() == before
    assert not may("annotator", "curate")
    assert not may("admin", "review_templates")


def hostile(desk: Desk) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Calls that no page makes, by an expert and by a curator."""
    ann, cora, sheet = desk.as_("ann"), desk.as_("cora"), fields(SHEET)
    keys = (7, [], {}, "", "x" * 16, "\0" * 16, "f" * 16, "F" * 16, "x" * 5_000)
    for key in keys:
        yield f"open {key!r}", partial(desk.review.open_review, ann, key)
        yield f"save {key!r}", partial(desk.review.save, ann, key, *sheet)
        yield f"submit {key!r}", partial(desk.review.submit, ann, key, *sheet)
        yield f"round {key!r}", partial(desk.rounds.open_round, cora, key)
        yield f"invite {key!r}", partial(desk.rounds.invite, cora, key, "ada")
        yield f"reply {key!r}", partial(desk.rounds.reply, cora, key, "0" * 16, "x")
        yield f"return {key!r}", partial(desk.rounds.give_back, cora, key, "x")
        yield f"version {key!r}", partial(desk.rounds.choose_version, cora, key)
    odd: tuple[tuple[int, Any], ...] = (
        (3, 5),
        (3, "4"),
        (3, True),
        (0, ["1"]),
        (0, "1" * 201),
        (6, {"a": 1}),
        (6, 7),
    )
    for place, value in odd:
        changed = [*sheet[:place], value, *sheet[place + 1 :]]
        yield f"sheet {place} {value!r}", partial(desk.review.save, ann, "f" * 16, *changed)
    for version in (f"{PULSE} 0", f"{PULSE} 99", f"{PULSE} {2**70}", "x", "\0 1"):
        yield f"start {version!r}", partial(desk.rounds.start, cora, version, list(EXPERTS))
    for experts in ([1, 2, 3], "ann", {"a": 1}, ["x"], [], ["ann", "ann", "ann"]):
        yield f"experts {experts!r}", partial(desk.rounds.start, cora, VERSION, experts)
    for row in (None, [], "x", [1], [{}, {}, {}]):
        clicked: Any = SimpleNamespace(row_value=row, index=row)
        yield f"row {row!r}", partial(desk.rounds.select_round, cora, clicked)
        yield f"expert's row {row!r}", partial(desk.review.select_row, ann, clicked)


def test_a_hostile_call_gets_one_line_and_changes_nothing(desk: Desk) -> None:
    before = desk.stored()
    for case, call in hostile(desk):
        with pytest.raises(ClinicnumError) as refused:
            call()
        assert "\n" not in str(refused.value), case
    assert desk.stored() == before


def test_the_relevance_of_a_mechanical_template_is_neither_asked_nor_taken(desk: Desk) -> None:
    with writing(desk.engine) as session:
        template_versions.add_templates(session, [of_the_bank("arithmetic.bp_sum")])
    key = opened(desk, version_key("arithmetic.bp_sum", 1))
    ratings = desk.review.open_review(desk.as_("ann"), key)[-14:-11]
    assert [one["visible"] for one in ratings] == [True, False, True]
    for name in EXPERTS:
        sheet = {**SHEET, "answers": desk.answers(key, name)}
        assert sheet_view.SUBMITTED in desk.review.submit(desk.as_(name), key, *fields(sheet))[0]
    board = desk.show(key)
    assert [row[0] for row in board["ratings"]["value"]["data"]] == ["Clarity", "Answerability"]
    assert board["accept"]["interactive"] is True


def test_a_choice_that_was_only_passed_by_chooses_nothing(desk: Desk) -> None:
    for answer in (
        desk.review.open_review(desk.as_("ann"), None),
        desk.rounds.open_round(desk.as_("cora"), None),
    ):
        assert (answer[0], answer[1]["visible"]) == ("", False)
    assert desk.rounds.choose_version(desk.as_("cora"), None)[2]["visible"] is False


def test_what_a_sheet_lacks_is_named_before_it_is_submitted(desk: Desk) -> None:
    key, who = opened(desk), desk.as_("ann")
    lacking = fields({"ratings": {"clarity": 3}, "answers": {"2": "7", "3": " "}})
    missing = "Missing: an answer to question 1, 3; a rating of clinical relevance, answerability."
    assert desk.review.save(who, key, *lacking)[2] == missing
    for call in (desk.review.ask, desk.review.submit):
        with pytest.raises(InputError):
            call(who, key, *lacking)


def test_records_are_shown_as_a_table_where_they_are_one() -> None:
    context = "Stay 1\n\n| Time | HR |\n|---|---|\n| 08:00 | 80 |\n| 09:00 | 90 |\n\nEnd."
    assert sheet_view.split_table(context) == (
        "Stay 1",
        ["Time", "HR"],
        [["08:00", "80"], ["09:00", "90"]],
        "End.",
    )
    assert sheet_view.split_table("| no | table\nat all") == ("| no | table\nat all", [], [], "")


def test_unreviewed_versions_are_found_by_their_words(desk: Desk) -> None:
    _, table, _ = desk.rounds.find(desk.as_("cora"), "Pulse SYSTOLIC")
    assert [row[:2] for row in table["value"]] == [[PULSE, "1"]]
    assert desk.rounds.find(desk.as_("cora"), "100%_no such")[1]["value"] == []
    assert comment_subject("2") == "Question 2"
