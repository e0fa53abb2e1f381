"""The drafts page as each person calls it."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine

from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import writing
from clinicnum.db.work.accounts import users
from clinicnum.ui.pages.draft.page import DraftHandlers
from tests.ui.calling import call_action

ASKED: dict[str, Any] = {
    "wording": ["In how many records was the heart rate above 104 bpm?"],
    "tree": {
        "op": "count",
        "where": {
            "left": {"op": "vital", "vital": "heart_rate_bpm"},
            "comparator": "above",
            "right": {"op": "constant", "value": "104"},
        },
    },
    "source": "our own",
}


@dataclass
class Desk:
    """The page as one person calls it."""

    page: DraftHandlers
    user_id: str

    def __call__(self, name: str, **message: Any) -> dict[str, Any]:
        reply: dict[str, Any] = call_action(self.page, name, self.user_id, message)
        return reply


def make_desks(engine: Engine) -> dict[str, Desk]:
    """Two curators and an adjudicator at the page."""
    with writing(engine) as session:
        ids = {
            name: users.add_user(session, name=name, role=role, password=None).user_id  # type: ignore[arg-type]
            for name, role in (("cora", "curator"), ("dan", "curator"), ("ada", "adjudicator"))
        }
    page = DraftHandlers(Store(engine))
    return {name: Desk(page, user_id) for name, user_id in ids.items()}
