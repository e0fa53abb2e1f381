"""Scripted annotators and a scripted adjudicator, who work through the same functions as people.

Their accounts are of the kind `simulated`, with which nobody can log in, and everything that rests on their
labels says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from sqlmodel import Session

from clinicnum.annotations.claims.claim import claims_of_answer, claims_of_reference
from clinicnum.annotations.custom_field_answers import names_of
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.simulated_annotator import (
    NO_HABIT,
    Habit,
    guess_code,
    simulate_claims,
    simulate_judgement,
    simulate_preference,
    simulate_ratings,
)
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.types import Role
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.work.accounts import users
from clinicnum.db.work.adjudication.adjudicate import decide
from clinicnum.db.work.adjudication.adjudication_item import AdjudicationItem, load_adjudication_item
from clinicnum.db.work.adjudication.adjudication_queue import list_waiting
from clinicnum.db.work.adjudication.answer_annotators import answer_flag
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.annotation import unblinded_assignment as assignments
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.taxonomy_codes import FABRICATED_VALUE, HALLUCINATION, MISSED_RECORD, OMISSION

ACTIVE_MS = 1000
HABITS = (
    NO_HABIT,
    Habit(sees={OMISSION: FABRICATED_VALUE}, stricter=1),
    Habit(sees={HALLUCINATION: MISSED_RECORD}, stricter=-1),
)
"""Three readers of whom two differ on omission and hallucination, and on how bad a failure is."""
QUESTION = "Simulated: was a record passed over, or the number made up? Omission or hallucination?"
RULING = (
    "Simulated: where passing over a record explains the number, it is an omission; where nothing in the "
    "records explains it, a hallucination."
)
"""What is asked of the first failure that a reader sees by its habit, and what the adjudicator answers."""


class _Told(TypedDict):
    """The arguments that all functions which simulate a judgement take."""

    annotator: str
    seed: int
    error_rate: float


@dataclass(frozen=True)
class ScriptedAnnotator:
    """A simulated annotator of a study: account, pseudonym, how often it errs (drawn by `seed`), and its
    habit.
    """

    user_id: str
    pseudonym: str
    error_rate: float
    seed: int
    habit: Habit = NO_HABIT


def add_scripted(session: Session, names: Sequence[str], role: Role) -> None:
    """Add accounts of the kind `simulated`; existing ones are kept. Raises InputError as `users.add_user`
    does.
    """
    there = {user.name for user in users.list_users(session)}
    for name in names:
        if name not in there:
            users.add_user(session, name=name, role=role, password=None, kind="simulated")


def scripted_annotators(
    session: Session, *, study_id: str, error_rate: float, seed: int, habits: Sequence[Habit] = (NO_HABIT,)
) -> tuple[ScriptedAnnotator, ...]:
    """The simulated annotators of a study in the order of their pseudonyms; `habits` are given to them in
    turn.

    Each errs with the chance `error_rate` (0 to 1), seeded by `seed`.
    """
    found = assignments.simulated_annotators(session, study_id=study_id)
    return tuple(
        ScriptedAnnotator(user_id, pseudonym, error_rate, seed, habits[place % len(habits)])
        for place, (user_id, pseudonym) in enumerate(found)
    )


def label_next(
    session: Session, annotator: ScriptedAnnotator, *, study_id: str, taxonomy: Taxonomy
) -> tuple[str, Judgement] | None:
    """Label the annotator's next open item: a judgement that is locked without the reference, and a submit.

    Returns the assignment and the judgement, None if there is no item.
    """
    user_id = annotator.user_id
    item = annotate.next_assignment(session, user_id=user_id, study_id=study_id)
    if item is None:
        return None
    held = assignments.load_unblinded(session, user_id=user_id, assignment_id=item.assignment_id)
    judgement = _judge(item, held, annotator, taxonomy)
    locks = judgement.judges_failures or (item.claims is not None and item.claims.follows)
    if item.revision == 0 and locks:
        item = annotate.save_judgement(
            session,
            user_id=user_id,
            assignment_id=item.assignment_id,
            revision=0,
            judgement=judgement.without_reference(names_of(item.fields, step=2)),
            active_ms=ACTIVE_MS,
        )
    annotate.submit(
        session,
        user_id=user_id,
        assignment_id=item.assignment_id,
        revision=item.revision,
        judgement=judgement,
        active_ms=2 * ACTIVE_MS,
    )
    return item.assignment_id, judgement


def _judge(
    item: Workitem, held: assignments.UnblindedAssignment, annotator: ScriptedAnnotator, taxonomy: Taxonomy
) -> Judgement:
    """The annotator's simulated judgement, of the kind that the study asks for."""
    told: _Told = {
        "annotator": annotator.pseudonym,
        "seed": annotator.seed,
        "error_rate": annotator.error_rate,
    }
    if held.second is not None:
        return simulate_preference(first=held.score, second=held.second, **told)
    if item.claims is not None:
        claims = (*claims_of_answer(held.generation.text), *claims_of_reference(held.instance))
        return simulate_claims(claims=claims, score=held.score, **told)
    if item.kind == "ratings":
        return simulate_ratings(score=held.score, axes=item.fields, **told)
    return simulate_judgement(
        instance=held.instance,
        generation=held.generation,
        score=held.score,
        taxonomy=taxonomy,
        fields=item.fields,
        criteria=item.criteria,
        habit=annotator.habit,
        **told,
    )


def ask_about(session: Session, annotator: ScriptedAnnotator, labelled: tuple[str, Judgement]) -> bool:
    """Flag the item with QUESTION if the judgement shows the annotator's habit; returns whether it was
    flagged.
    """
    assignment_id, judgement = labelled
    if not {label.code for label in judgement.labels} & set(annotator.habit.sees.values()):
        return False
    annotate.flag(session, user_id=annotator.user_id, assignment_id=assignment_id, note=QUESTION)
    return True


def adjudicate(session: Session, *, study_id: str, user_id: str, leave: int) -> int:
    """Answer every flag with `RULING`, and decide all disagreements but the last `leave`, the hardest first;
    returns how many were decided.

    Each decision adopts one of the positions, with its ticks of criteria where these are disputed. Raises
    NotAllowed for an account that may not adjudicate.
    """
    taxonomy = study_lifecycle.taxonomy_of_study(session, study_id=study_id)
    waiting = [one for one in list_waiting(session, user_id=user_id) if one.study_id == study_id]
    due = [one.item for one in waiting if one.due]
    decided = set(due[: max(len(due) - leave, 0)])
    for one in waiting:
        item = load_adjudication_item(session, user_id=user_id, study_id=study_id, item=one.item)
        for flag in item.flags:
            answer_flag(
                session,
                user_id=user_id,
                study_id=study_id,
                item=item.item,
                flag=flag.key,
                comment=RULING,
                ruling=True,
            )
        if one.item in decided:
            best = _best_position(item, taxonomy)
            said = item.positions[best].answers
            decide(
                session,
                user_id=user_id,
                study_id=study_id,
                item=item.item,
                seen=item.seen,
                position=best,
                answers={one.key: said.get(one.key, one.given[0]) for one in item.disputes},
                comment=_reason(item),
            )
    return len(decided)


def _reason(item: AdjudicationItem) -> str:
    codes = {label.code for position in item.positions for label in position.judgement.labels}
    by = "the judgement that gold and score support most"
    if {"omission", "hallucination"} <= {code.partition(".")[0] for code in codes}:
        by = "by the ruling on omission and hallucination"
    ticks = "; ticks as in the judgement taken over" * any(one.about == "tick" for one in item.disputes)
    return f"Simulated: {by}{ticks}."


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
