"""The deadline and the qualifying threshold of a study: planned, shown on its board, changed, decided."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading
from clinicnum.db.rows import utc_now
from clinicnum.db.work.accounts import users
from clinicnum.ui.pages.studies.deadline import DeadlineHandlers
from clinicnum.ui.pages.studies.page import StudiesHandlers
from clinicnum.ui.pages.studies.qualification import QualificationHandlers
from tests.db.examples import FAILURE, material, open_study
from tests.db.test_annotate import FINE, first, submit
from tests.ui.new_study_form import admin_with_run, form, new_study, refusal


@pytest.fixture
def root(engine: Engine) -> Any:
    return admin_with_run(engine)


def test_a_study_is_opened_with_a_deadline_which_the_board_shows_and_changes(
    engine: Engine, root: Any
) -> None:
    page, making = StudiesHandlers(Store(engine)), new_study(engine)
    assert "is no date" in refusal(making.preview, root, *form(engine, deadline="soon"))
    assert "is over already" in refusal(making.preview, root, *form(engine, deadline="2020-01-01"))
    today, due = utc_now().date(), utc_now().date() + timedelta(days=1)
    previewed = making.preview(root, *form(engine))[3]
    making.create(root, previewed, *form(engine, deadline=f"{due}"))
    board = page.show("new")
    assert board[1]["value"][0][-1].endswith(", 1 day left; at risk")
    assert "At risk: 14 judgements a day are needed until" in board[4]
    assert board[14] == str(due)
    deadline = DeadlineHandlers(Store(engine), page.board)
    message, table, *_ = deadline.save("new", f"{today}", root)
    assert f"Study new is due on {today}." in message
    assert table["value"][0][-1] == "due today; at risk"
    without = deadline.save("new", "", root)
    assert "Study new has no deadline now." in without[0]
    assert without[14] == ""
    assert "is over already" in refusal(deadline.save, "new", "2020-01-01", root)


def test_the_lead_sees_who_missed_the_threshold_and_decides(engine: Engine, root: Any) -> None:
    page = StudiesHandlers(Store(engine))
    references = {"run-of-llama-g0": FAILURE}
    made = material(wrong=12, right=8)
    open_study(
        engine, made, annotators=("ann", "ben"), overlap=1, training=1, qualifying=1, references=references
    )
    with reading(engine) as session:
        ids = {one.name: one.user_id for one in users.list_users(session)}
    submit(engine, ids["ann"], first(engine, ids["ann"]), FINE)
    shown, rows, choice, _ = page.show("six")[-5:-1]
    assert shown["visible"]
    assert rows == [
        ["ann", "0 of 1", 1, "not qualified: you decide", 1],
        ["ben", "0 of 1", 1, "still in training", 1],
    ]
    assert choice["choices"] == ["ann", "ben"]
    deciding = QualificationHandlers(Store(engine), page.board)
    assert "Choose a study and one" in refusal(deciding.by_hand, "six", None, "so", root)
    assert "the reason has 0 characters" in refusal(deciding.repeat, "six", "ann", "", root)
    message, *board = deciding.repeat("six", "ann", "misread the form", root)
    assert "ann can repeat the training" in message
    assert board[-4][0] == ["ann", "0 of 1", 1, "still in training", 2]
    submit(engine, ids["ann"], first(engine, ids["ann"]), FINE)
    message, *board = deciding.by_hand("six", "ann", "we talked <b>", root)
    assert "ann is qualified by hand." in message
    assert board[-4][0] == ["ann", "0 of 1", 1, "qualified by hand: we talked <b>", 2]
    assert board[-3]["choices"] == ["ben"]
    assert next(row for row in board[12] if row[0].startswith("Training items to"))[1] == "1"


def test_a_threshold_that_cannot_be_reached_is_refused_when_the_study_is_planned(
    engine: Engine, root: Any
) -> None:
    said = refusal(new_study(engine).preview, root, *form(engine, training=2, qualifying=3))
    assert "3 right training judgements are asked of each annotator, but there are 2 training items" in said
