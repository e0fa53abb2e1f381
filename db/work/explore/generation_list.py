"""Generations as lines of a list, and all answers to one instance beside each other."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.db.rows import GenerationRow, InstanceRow, ScoreRow
from clinicnum.db.work.explore.explorable_runs import chosen_runs
from clinicnum.db.work.explore.suggested_causes import causes_of
from clinicnum.errors import InputError
from clinicnum.inference.model_metadata import asks_form
from clinicnum.translatable_text import Translatable
from clinicnum.types import Generation, Instance, Score, Suggestion


@dataclass(frozen=True)
class GenerationLine:
    """One generation of a list."""

    key: str
    """Row id."""
    run: str
    """Row id of its run."""
    question: str
    gold: str | None
    parsed: str | None
    status: str
    """Status of its score; "" if it was never scored."""
    text: str
    template_id: str
    representation: str
    variant: str | None
    subject_id: str
    instance_id: str
    generation_id: str


@dataclass(frozen=True)
class RunAnswer:
    """One run's answer to an instance, with its score and suggested causes."""

    key: str
    """Row id of the generation."""
    run: str
    generation: Generation
    score: Score | None
    suggestions: tuple[Suggestion, ...]


@dataclass(frozen=True)
class AnsweredInstance:
    """One instance and what the chosen runs answered."""

    instance: Instance
    answers: tuple[RunAnswer, ...]
    """The one that was opened first, then by run in the order chosen."""


def generation_lines(session: Session, keys: Sequence[str]) -> list[GenerationLine]:
    """The generations with these row ids, in their order. The caller has checked that they may be seen."""
    statement = (
        select(GenerationRow, InstanceRow, col(ScoreRow.payload))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .outerjoin(ScoreRow, (col(ScoreRow.generation) == col(GenerationRow.id)) & col(ScoreRow.current))
        .where(col(GenerationRow.id).in_(list(keys)))
    )
    found = {row.id: _line(row, asked, score or {}) for row, asked, score in session.execute(statement).all()}
    return [found[key] for key in keys if key in found]


def _line(row: GenerationRow, asked: InstanceRow, score: dict[str, str | None]) -> GenerationLine:
    return GenerationLine(
        key=row.id,
        run=row.run,
        question=asked.payload["question"],
        gold=asked.payload["answer"],
        parsed=score.get("parsed"),
        status=score.get("status") or "",
        text=row.payload["text"],
        template_id=asked.template_id,
        representation=asked.payload["representation"],
        variant=asked.payload.get("variant"),
        subject_id=asked.payload["subject_id"],
        instance_id=asked.instance_id,
        generation_id=row.generation_id,
    )


def answers_beside(
    session: Session, *, user_id: str, runs: Sequence[str], generation: str
) -> AnsweredInstance:
    """The instance of a generation with the answers of the chosen runs, each with its suggested causes.

    Raises NotAllowed and InputError as `chosen_runs` does, and InputError for a generation of another run.
    """
    rows = {run.id: run for run in chosen_runs(session, user_id=user_id, runs=runs)}
    opened = None if "\0" in generation else session.get(GenerationRow, generation)
    if opened is None or opened.run not in rows:
        raise InputError(Translatable("This answer is not of the chosen runs; choose one from the list."))
    instance = Instance.model_validate(session.get_one(InstanceRow, opened.instance).payload)
    statement = (
        select(GenerationRow, col(ScoreRow.payload))
        .outerjoin(ScoreRow, (col(ScoreRow.generation) == col(GenerationRow.id)) & col(ScoreRow.current))
        .where(col(GenerationRow.instance) == opened.instance, col(GenerationRow.run).in_(list(rows)))
    )
    order = list(rows)
    found = sorted(
        session.execute(statement).all(), key=lambda one: (one[0].id != opened.id, order.index(one[0].run))
    )
    answers = [
        (row, Generation.model_validate(row.payload), None if score is None else Score.model_validate(score))
        for row, score in found
    ]
    scored = [
        (given, score, asks_form(rows[row.run].meta)) for row, given, score in answers if score is not None
    ]
    causes = iter(causes_of(session, instance, scored))
    return AnsweredInstance(
        instance=instance,
        answers=tuple(
            RunAnswer(row.id, row.run, given, score, () if score is None else next(causes))
            for row, given, score in answers
        ),
    )
