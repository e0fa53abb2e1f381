"""Scripted annotators and adjudicator for the demo and the tests, each step in a transaction of its own."""

from collections.abc import Sequence

from sqlalchemy import Engine

from clinicnum.annotations.simulated_annotator import NO_HABIT, Habit
from clinicnum.db.engine import reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.home.scripted_people import (
    add_scripted,
    adjudicate,
    ask_about,
    label_next,
    scripted_annotators,
)
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.errors import InputError


def add_simulated(engine: Engine, names: Sequence[str]) -> None:
    """Add annotators of the kind `simulated`, with which nobody can log in; existing ones are kept."""
    with writing(engine) as session:
        add_scripted(session, names, "annotator")


def label_study(
    engine: Engine,
    study_name: str,
    error_rate: float,
    seed: int,
    habits: Sequence[Habit] = (NO_HABIT,),
) -> int:
    """Let each simulated annotator of a study label all items open to it; returns how many were submitted.

    Annotators take the habits in turn; the first failure that is judged by an annotator's habit is flagged
    with a question. Raises InputError for an unknown study, or one without simulated annotators.
    """
    from rich.console import Console
    from rich.progress import Progress

    with reading(engine) as session:
        study_id = study_lifecycle.find_study(session, study_name).id
        taxonomy = study_lifecycle.taxonomy_of_study(session, study_id=study_id)
        annotators = scripted_annotators(
            session, study_id=study_id, error_rate=error_rate, seed=seed, habits=habits
        )
    if not annotators:
        raise InputError(f"study {study_name!r} has no simulated annotators; add some with `add_simulated`")
    submitted, asked = 0, False
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for annotator in annotators:
            task = progress.add_task(f"simulated annotator {annotator.pseudonym}", total=None)
            while True:
                with writing(engine) as session:
                    labelled = label_next(session, annotator, study_id=study_id, taxonomy=taxonomy)
                    if labelled is None:
                        break
                    asked = asked or ask_about(session, annotator, labelled)
                submitted += 1
                progress.advance(task)
    return submitted


def adjudicate_study(engine: Engine, study_name: str, *, adjudicator: str, leave: int) -> int:
    """Let a simulated adjudicator decide all but the last `leave` disagreements of a study.

    The adjudicator's account is added if there is none. Returns how many were decided. Raises InputError for
    an unknown study.
    """
    with writing(engine) as session:
        study_id = study_lifecycle.find_study(session, study_name).id
        add_scripted(session, [adjudicator], "adjudicator")
        user_id = next(one.user_id for one in users.list_users(session) if one.name == adjudicator)
        return adjudicate(session, study_id=study_id, user_id=user_id, leave=leave)
