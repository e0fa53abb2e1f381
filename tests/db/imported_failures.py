"""A closed study of an imported benchmark, in which every answer was labelled a failure; an item from one."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Engine

from clinicnum.annotations.curation.drafted_item import ItemContent
from clinicnum.annotations.curation.item_draft_checks import ItemCheck
from clinicnum.annotations.curation.labelled_failure import Failure
from clinicnum.annotations.curation.review_sheet import ReviewSheet
from clinicnum.annotations.study_inputs import Material, Run
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import ReviewRow
from clinicnum.db.work.drafts import draft_sources, item_drafts, item_from_failure
from clinicnum.db.work.review import expert_review, review_rounds
from clinicnum.db.work.review.automatic_checks import checks_of_round
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.types import Generation, Instance, Score
from tests.annotations.imported_items import CHOICE, EVERY
from tests.db.adjudicating import add_role, next_of
from tests.db.curating import SLIP, failing
from tests.db.examples import add_users, open_study
from tests.db.prepared import made_once
from tests.db.test_annotate import submit
from tests.db.test_contests import look, maybe_next, uphold

EXPERTS = ("xia", "yan", "zoe")
META = {"kind": "benchmark", "benchmark_id": "imported", "source": "exam.jsonl", "source_format": "choice"}
OPEN = META | {"credentialed": False}


def wrong_answers(instances: Sequence[Instance], meta: dict[str, Any]) -> Material:
    """A run that answers each item wrongly."""
    said = [
        Generation(
            generation_id=f"g{place}",
            run_id="run",
            instance_id=one.instance_id,
            text=f"I cannot tell the {one.template_id} from the dog",
            finish_reason="stop",
        )
        for place, one in enumerate(instances)
    ]
    scores = [
        Score(
            generation_id=one.generation_id,
            parsed="Z",
            form="json",
            status="incorrect",
            strict=False,
            lenient=False,
            reason="made up",
        )
        for one in said
    ]
    run = Run(meta={"model": "acme/Model-0"}, generations=tuple(said))
    return Material(benchmark_meta=meta, instances=tuple(instances), runs=(run,), scores=tuple(scores))


@made_once
def closed_study(
    engine: Engine, instances: Sequence[Instance] = EVERY, meta: dict[str, Any] = OPEN
) -> dict[str, str]:
    """The study `imported`, closed; ids of its annotators, of a curator `cur` and of the EXPERTS, by name."""
    people = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine, wrong_answers(instances, meta), name="imported", include="all")
    for name in ("ann", "ben", "eve"):
        while (item := maybe_next(engine, people[name])) is not None:
            submit(engine, people[name], item, failing(SLIP))
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="imported", actor="command line")
    people |= {user.name: user.user_id for user in add_users(engine, EXPERTS)}
    return {**people, "cur": add_role(engine, "cur", "curator")}


def failure_on(engine: Engine, template_id: str) -> Failure:
    with reading(engine) as session:
        return next(one for one in draft_sources.labelled_failures(session) if one.template_id == template_id)


def begun(engine: Engine, actor: str, template_id: str, **of: Any) -> str:
    """A draft from the failure on an item."""
    failure = failure_on(engine, template_id)
    with writing(engine) as session:
        return item_from_failure.begin_item(session, actor=actor, failures=[failure], **of)


def saved(engine: Engine, actor: str, draft: str, **changed: Any) -> int:
    """Change the draft's content; its new revision."""
    with writing(engine) as session:
        one = item_drafts.load_item(session, draft)
        content = ItemContent.model_validate(one.content.model_dump() | changed)
        return item_drafts.save_item(
            session,
            draft_id=draft,
            revision=one.draft.summary.revision,
            content=content,
            actor=actor,
        )


def submitted(engine: Engine, actor: str, draft: str, **changed: Any) -> tuple[str, int]:
    revision = saved(engine, actor, draft, **changed)
    with writing(engine) as session:
        return item_drafts.submit_item(session, draft_id=draft, revision=revision, actor=actor)


def opened(engine: Engine, actor: str, version: tuple[str, int]) -> str:
    with writing(engine) as session:
        return review_rounds.open_round(
            session, template_id=version[0], version=version[1], experts=EXPERTS, actor=actor
        )


def hand_in(engine: Engine, round_id: str, user_id: str, **other: Any) -> None:
    """A review that answers as the gold says and rates 4, apart from `other`."""
    with writing(engine) as session:
        cases = session.get_one(ReviewRow, (round_id, user_id)).cases
        sheet = {
            "ratings": dict.fromkeys(("clarity", "relevance", "answerability"), 4),
            "answers": {str(number): case["answer"] for number, case in enumerate(cases, start=1)},
        }
        expert_review.hand_in(
            session,
            user_id=user_id,
            round_id=round_id,
            sheet=ReviewSheet.model_validate(sheet | other),
        )


def close(engine: Engine, round_id: str, actor: str, *, accept: bool = True, reason: str = "") -> None:
    trial = checks_of_round(lambda: reading(engine), round_id)
    assert isinstance(trial, ItemCheck)
    with writing(engine) as session:
        review_rounds.close_round(
            session, round_id=round_id, accept=accept, trial=trial, actor=actor, reason=reason
        )


def accepted(engine: Engine, people: dict[str, str], draft: str, **changed: Any) -> tuple[str, int]:
    """The version as which a draft was sent to review and accepted."""
    version = submitted(engine, people["cur"], draft, **changed)
    round_id = opened(engine, people["cur"], version)
    for name in EXPERTS:
        hand_in(engine, round_id, people[name])
    close(engine, round_id, people["cur"])
    return version


def upheld(engine: Engine, people: dict[str, str], proposed: str) -> str:
    """Another study, in which the gold of each item was contested and the first contest upheld; its id."""
    open_study(engine, wrong_answers(EVERY, OPEN), name="contested", include="all")
    wrong = failing(SLIP).model_copy(update={"item_judgement": "gold_wrong", "proposed_gold": proposed})
    for name, said in (("ann", wrong), ("ben", failing(SLIP)), ("eve", failing(SLIP))):
        while (item := maybe_next(engine, people[name])) is not None:
            about_it = item.instance.question == CHOICE.question
            submit(engine, people[name], item, said if about_it else failing(SLIP))
    ada = add_role(engine, "ada")
    item = next_of(engine, ada)
    uphold(engine, ada, item, look(engine, ada, item).mark)
    with reading(engine) as session:
        (one,) = draft_sources.upheld_contests(session, user_id="nobody")
    return one.contest
