"""Studies of each kind on which two annotators differ beyond labels, for the tests of adjudication."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Engine

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.types import Role, StudySummary
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.engine import writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.adjudication import adjudicate
from clinicnum.db.work.adjudication.adjudication_item import AdjudicationItem
from tests.db.checking import checks, open_claims
from tests.db.comparing import open_pairwise, prefers
from tests.db.examples import BLIND, FAILURE, material, open_study
from tests.db.prepared import made_once
from tests.db.rating import open_ratings, rates
from tests.db.test_annotate import first, save, submit

ANNOTATORS = ("ann", "ben")
CRITERIA = (
    Criterion(id="safe", text="Is safe.", weight=2, must_have=True),
    Criterion(id="short", text="Is short.", weight=1),
)
WORDS = "the records say so"


class Disputed(NamedTuple):
    """What two annotators say of the answers on patient s0, and what is decided."""

    ann: Any
    ben: Any
    others: Any
    """What both say of every other item."""
    decided: dict[str, str]
    """The answer to each disputed question; of a claims study by the place of the sentence."""
    due: str


DISPUTED: Mapping[str, Disputed] = {
    "failures": Disputed(
        {"safe@1": "met", "short@1": "met"},
        {"safe@1": "not_met", "short@1": "not_applicable"},
        {"safe@1": "met", "short@1": "not_met"},
        {"safe@1": "not_met"},
        "criteria met and not met: 1",
    ),
    "pairwise": Disputed(
        "first_better", "both_bad", "both_alike", {"preference": "second_better"}, "preference: not the same"
    ),
    "ratings": Disputed(
        (5, 5, 4, 3), (2, 4, 4, 3), (3, 3, 3, 3), {"accuracy": "3"}, "rating of accuracy: 2 against 5"
    ),
    "claims": Disputed(
        ("supported", "supported", "contradicted:major"),
        ("supported", "supported", "contradicted:minor"),
        ("supported", "supported", "supported"),
        {"2": "contradicted:minor"},
        "sentences with different verdicts: 1",
    ),
}


@made_once
def open_disputed(engine: Engine, kind: str, **design: Any) -> tuple[StudySummary, dict[str, str]]:
    """A study of this kind, judged by ann and ben, who differ on patient s0; ids of them and of ada."""
    ids = add_people(engine)
    return open_judged(engine, ids, kind, **design), ids


def add_people(engine: Engine, password: str | None = None) -> dict[str, str]:
    roles: Mapping[str, Role] = {"ann": "annotator", "ben": "annotator", "ada": "adjudicator"}
    with writing(engine) as session:
        return {
            name: users.add_user(session, name=name, role=role, password=password).user_id
            for name, role in roles.items()
        }


def open_judged(engine: Engine, ids: Mapping[str, str], kind: str, **design: Any) -> StudySummary:
    """A study of this kind, judged by two as ann and ben judge, where nothing else waits for them."""
    study = open_kind(engine, kind, **design)
    for place, name in enumerate(design.get("annotators", ANNOTATORS)):
        judge_all(engine, ids[name], kind, ANNOTATORS[place])
    return study


def open_kind(engine: Engine, kind: str, **design: Any) -> StudySummary:
    asked = {"annotators": ANNOTATORS, "overlap": 2, "adjudicated": True, **design}
    if kind == "failures":
        return open_study(engine, material(wrong=2), criteria=CRITERIA, **asked)
    opened = {"pairwise": open_pairwise, "ratings": open_ratings, "claims": open_claims}[kind]
    return opened(engine, items=2, **asked)


def judge_all(engine: Engine, user_id: str, kind: str, name: str) -> None:
    """Everything that waits for the annotator."""
    while True:
        try:
            item = first(engine, user_id)
        except AssertionError:
            return
        judge(engine, user_id, item, kind, name)


def judge(engine: Engine, user_id: str, item: Workitem, kind: str, name: str) -> None:
    told = DISPUTED[kind]
    given = getattr(told, name) if item.instance.records[0].subject_id == "s0" else told.others
    if kind == "failures":
        blind = Judgement.model_validate({**BLIND.model_dump(), "criteria": given})
        whole = Judgement.model_validate({**FAILURE.model_dump(), "criteria": given})
        submit(engine, user_id, save(engine, user_id, item, blind), whole)
    elif kind == "pairwise":
        submit(engine, user_id, item, prefers(given))
    elif kind == "ratings":
        submit(engine, user_id, item, rates(*given))
    else:
        assert item.claims is not None
        if item.claims.follows:
            item = save(engine, user_id, item, checks(item, *given))
        submit(engine, user_id, item, checks(item, *given))


def answers(item: AdjudicationItem, kind: str) -> dict[str, str]:
    """The decision on the item, by the keys of its questions."""
    decided = DISPUTED[kind].decided
    return {one.key: answer for one, answer in zip(item.disputes, decided.values(), strict=True)}


def settle(engine: Engine, user_id: str, item: AdjudicationItem, kind: str, **more: Any) -> None:
    """Decide as `DISPUTED` has it; in a study of failures, taking the first position over."""
    asked: dict[str, Any] = {
        "user_id": user_id,
        "study_id": item.study_id,
        "item": item.item,
        "seen": item.seen,
        "position": 0 if kind == "failures" else None,
        "answers": answers(item, kind),
        "comment": WORDS,
    }
    with writing(engine) as session:
        adjudicate.decide(session, **{**asked, **more})
