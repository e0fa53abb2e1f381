"""Simulated annotators for the demo and the tests: they label through the same functions as people."""

from collections.abc import Sequence
from typing import TypedDict

from sqlalchemy import Engine

from clinicnum.annotations.claims.claim import claims_of_answer, claims_of_reference
from clinicnum.annotations.custom_answers import names_of
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.simulated_annotator import (
    NO_HABIT,
    Habit,
    simulate_claims,
    simulate_judgement,
    simulate_preference,
    simulate_ratings,
)
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.engine import reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate, simulated_annotator_assignment
from clinicnum.db.work.annotation.simulated_annotator_assignment import UnblindedAssignment
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.errors import InputError

ACTIVE_MS = 1000


class _Told(TypedDict):
    """What scripted annotators know of themselves."""

    annotator: str
    seed: int
    error_rate: float


HABITS = (
    NO_HABIT,
    Habit(sees={"omission": "hallucination.fabricated_value"}, stricter=1),
    Habit(sees={"hallucination": "omission.missed_record"}, stricter=-1),
)
"""Three readers of whom two differ on omission and hallucination, and on how bad a failure is."""


def add_simulated(engine: Engine, names: Sequence[str]) -> None:
    """Add accounts of the kind `simulated`, with which nobody can log in; existing ones are kept."""
    with writing(engine) as session:
        there = {user.name for user in users.list_users(session)}
        for name in names:
            if name not in there:
                users.add_user(session, name=name, role="annotator", password=None, kind="simulated")


def label_study(
    engine: Engine,
    study_name: str,
    error_rate: float,
    seed: int,
    habits: Sequence[Habit] = (NO_HABIT,),
    question: str = "",
) -> int:
    """Let each simulated annotator of a study label all items open to it; returns how many were submitted.

    Annotators take the habits in turn, in the order of their pseudonyms; the first failure that one sees
    as its habit has it is flagged with the question, if there is one. Each item takes a judgement locked
    without the reference and a submit, each in its own transaction, as from the page. Raises InputError for
    an unknown study, or one without simulated annotators.
    """
    from rich.console import Console
    from rich.progress import Progress

    with reading(engine) as session:
        study_id = study_lifecycle.find_study(session, study_name).id
        taxonomy = study_lifecycle.taxonomy_of_study(session, study_id=study_id)
        annotators = simulated_annotator_assignment.simulated_annotators(session, study_id=study_id)
    if not annotators:
        raise InputError(f"study {study_name!r} has no simulated annotators; add some with `add_simulated`")
    submitted, questions = 0, [question] if question else []
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for place, (user_id, pseudonym) in enumerate(annotators):
            task = progress.add_task(f"simulated annotator {pseudonym}", total=None)
            told: _Told = {"annotator": pseudonym, "seed": seed, "error_rate": error_rate}
            habit = habits[place % len(habits)]
            while (labelled := _label_next(engine, study_id, user_id, taxonomy, told, habit)) is not None:
                submitted += 1
                progress.advance(task)
                assignment_id, judgement = labelled
                if questions and {label.code for label in judgement.labels} & set(habit.sees.values()):
                    with writing(engine) as session:
                        annotate.flag(
                            session, user_id=user_id, assignment_id=assignment_id, note=questions.pop()
                        )
    return submitted


def _label_next(
    engine: Engine,
    study_id: str,
    user_id: str,
    taxonomy: Taxonomy,
    told: _Told,
    habit: Habit,
) -> tuple[str, Judgement] | None:
    """Label the annotator's next open item; its assignment and the judgement, None if there is none."""
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=user_id, study_id=study_id)
        if item is None:
            return None
        book = simulated_annotator_assignment.load_unblinded(
            session, user_id=user_id, assignment_id=item.assignment_id
        )
    judgement = _judge(item, book, taxonomy, told, habit)
    locks = judgement.judges_failures or (item.claims is not None and item.claims.follows)
    if item.revision == 0 and locks:
        with writing(engine) as session:
            item = annotate.save_judgement(
                session,
                user_id=user_id,
                assignment_id=item.assignment_id,
                revision=0,
                judgement=judgement.without_reference(names_of(item.fields, step=2)),
                active_ms=ACTIVE_MS,
            )
    with writing(engine) as session:
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
    item: Workitem, book: UnblindedAssignment, taxonomy: Taxonomy, told: _Told, habit: Habit
) -> Judgement:
    """What the annotator says, by what the kind of study asks."""
    if book.second is not None:
        return simulate_preference(first=book.score, second=book.second, **told)
    if item.claims is not None:
        claims = (*claims_of_answer(book.generation.text), *claims_of_reference(book.instance))
        return simulate_claims(claims=claims, score=book.score, **told)
    if item.kind == "ratings":
        return simulate_ratings(score=book.score, axes=item.fields, **told)
    return simulate_judgement(
        instance=book.instance,
        generation=book.generation,
        score=book.score,
        taxonomy=taxonomy,
        fields=item.fields,
        criteria=item.criteria,
        habit=habit,
        **told,
    )
