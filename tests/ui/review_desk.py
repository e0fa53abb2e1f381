"""The review pages and the people at them: what a page sends, and what an answer shows."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, func, select

from clinicnum.annotations.curation.review_sheet import RATING_SCALES
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading
from clinicnum.db.rows import Row
from clinicnum.ui.pages.review import view as sheet_view
from clinicnum.ui.pages.review.page import ReviewHandlers
from clinicnum.ui.pages.review.review_sheet import CASE_OUTPUTS
from clinicnum.ui.pages.review_rounds.event_inputs import version_key
from clinicnum.ui.pages.review_rounds.page import RoundsHandlers
from tests.db.reviewing import EXPERTS, PULSE, golds
from tests.ui.gradio_request import Request

SHEET = {"ratings": {"clarity": 4, "relevance": 4, "answerability": 3}}
VERSION = version_key(PULSE, 2)
ROUND = (
    *(
        "panel",
        "heading",
        "notice",
        "conditions",
        "ratings",
        "figures",
        "agreement",
        "mismatches",
        "comments",
    ),
    *("replying", "comment", "seats", "withdrawing", "withdrawn", "inviting", "invited"),
    *("closing", "obstacles", "accept", "confirmation"),
)
"""What a round is shown by."""


def fields(sheet: dict[str, Any]) -> list[Any]:
    """A sheet as the page sends it."""
    answers = [sheet.get("answers", {}).get(str(n), "") for n in (1, 2, 3)]
    ratings = [sheet.get("ratings", {}).get(scale) for scale in RATING_SCALES]
    comments = (sheet.get("comments", {}).get(one, "") for one in sheet_view.COMMENT_SUBJECTS)
    return [*answers, *ratings, *comments]


def values(answer: tuple[Any, ...]) -> list[Any]:
    """What the fields of a sheet hold, of an answer that ends with one: as `fields`."""
    cases = answer[-39:][5:]
    answers = [cases[n * CASE_OUTPUTS - 1]["value"] for n in (1, 2, 3)]
    ratings, comments = answer[-14:-11], answer[-11:-5]
    return [*answers, *(one["value"] for one in ratings), *(one["value"] for one in comments)]


def shown(answer: tuple[Any, ...], start: int) -> dict[str, Any]:
    """A round as an answer shows it, from that place on, by the component's name."""
    return dict(zip(ROUND, answer[start : start + len(ROUND)], strict=True))


@dataclass
class Desk:
    """Both pages, and the people at them."""

    engine: Engine
    people: dict[str, str]

    @property
    def review(self) -> ReviewHandlers:
        return ReviewHandlers(Store(self.engine))

    @property
    def rounds(self) -> RoundsHandlers:
        return RoundsHandlers(Store(self.engine))

    def as_(self, name: str, **query: str) -> Any:
        return Request(self.people[name], query_params=query)

    def show(self, key: str) -> dict[str, Any]:
        return shown(self.rounds.open_round(self.as_("cora"), key), 1)

    def answers(self, round_id: str, name: str) -> dict[str, str]:
        with reading(self.engine) as session:
            return golds(session, round_id, self.people[name])

    def stored(self) -> list[int]:
        with reading(self.engine) as session:
            tables = [Row.metadata.tables[name] for name in sorted(Row.metadata.tables)]
            return [session.execute(select(func.count()).select_from(table)).scalar_one() for table in tables]


def opened(desk: Desk, version: str = VERSION) -> str:
    answer = desk.rounds.start(desk.as_("cora"), version, list(EXPERTS))
    assert "3 experts are invited" in answer[0]
    return str(answer[3]["value"])
