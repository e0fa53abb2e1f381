"""A simulated adjudicator: it answers questions by a ruling, and decides by the gold what is in dispute."""

from sqlalchemy import Engine

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.simulated_annotator import guess_code
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.db.engine import writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.adjudication.adjudicate import decide
from clinicnum.db.work.adjudication.adjudication_item import AdjudicationItem, load_adjudication_item
from clinicnum.db.work.adjudication.adjudication_queue import list_waiting
from clinicnum.db.work.adjudication.adjudicator_answers import answer_flag
from clinicnum.db.work.studies import study_lifecycle


def adjudicate_study(engine: Engine, study_name: str, *, adjudicator: str, leave: int, ruling: str) -> int:
    """Answer every flag by the ruling, and decide disagreements, hardest first, but for the last `leave`.

    The account is added, of the kind `simulated`, with which nobody can log in. Returns how many were
    decided. Raises InputError for an unknown study, and if the account is there already.
    """
    with writing(engine) as session:
        study_id = study_lifecycle.find_study(session, study_name).id
        taxonomy = study_lifecycle.taxonomy_of_study(session, study_id=study_id)
        added = users.add_user(session, name=adjudicator, role="adjudicator", password=None, kind="simulated")
        waiting = [one for one in list_waiting(session, user_id=added.user_id) if one.study_id == study_id]
    due = [one.item for one in waiting if one.due]
    decided = set(due[: max(len(due) - leave, 0)])
    for one in waiting:
        with writing(engine) as session:
            item = load_adjudication_item(session, user_id=added.user_id, study_id=study_id, item=one.item)
            for flag in item.flags:
                answer_flag(
                    session,
                    user_id=added.user_id,
                    study_id=study_id,
                    item=item.item,
                    flag=flag.key,
                    comment=ruling,
                    ruling=True,
                )
            if one.item in decided:
                decide(
                    session,
                    user_id=added.user_id,
                    study_id=study_id,
                    item=item.item,
                    seen=item.seen,
                    position=_best_position(item, taxonomy),
                    comment=_reason(item),
                )
    return len(decided)


def _reason(item: AdjudicationItem) -> str:
    codes = {label.code for position in item.positions for label in position.judgement.labels}
    if {"omission", "hallucination"} <= {code.partition(".")[0] for code in codes}:
        return "Simulated: by the ruling on omission and hallucination."
    return "Simulated: by the reference."


def _best_position(item: AdjudicationItem, taxonomy: Taxonomy) -> int:
    """The place of the judgement that the gold and the likeliest cause support most."""
    failed = item.score.status != "correct"
    cause = guess_code(item.instance, item.score, taxonomy)

    def supported(judgement: Judgement) -> tuple[bool, ...]:
        codes = [label.code for label in judgement.labels if label.primary]
        return (
            judgement.item_judgement == "valid",
            (judgement.response_judgement == "failure") == failed,
            not failed or cause in codes,
        )

    return max(range(len(item.positions)), key=lambda place: supported(item.positions[place].judgement))
