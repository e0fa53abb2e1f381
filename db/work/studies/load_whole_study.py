"""Load a whole study as the frozen types from which agreement, reports and exports are computed."""

from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from clinicnum.annotations.agreement.study_agreement import StudyAgreement
from clinicnum.annotations.guideline import HARMS_DEFINED
from clinicnum.annotations.guideline_cases import CASES_TITLE
from clinicnum.annotations.read_stored_judgements import read_stored
from clinicnum.annotations.report.study_tables import Asides, CodeName, Inclusion, Qualified, StudyTables
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.types import Annotation
from clinicnum.db.rows import (
    AnnotationRow,
    AssignmentRow,
    AuditRow,
    BenchmarkRow,
    GenerationRow,
    GuidelineRow,
    InstanceRow,
    RunRow,
    ScoreRow,
    StudyAnnotatorRow,
    StudyItemRow,
    StudyRow,
    StudyRunRow,
    StudyScoreRow,
    SuggestionRow,
)
from clinicnum.db.work.common.adjudication_decisions import (
    load_adjudications,
    load_contests,
    load_invalidations,
)
from clinicnum.db.work.common.qualification import training_result
from clinicnum.db.work.common.rulings import load_rulings
from clinicnum.db.work.common.study_criteria import criteria_of_study
from clinicnum.db.work.studies.labels_for_agreement import load_labels, load_references
from clinicnum.db.work.studies.study_lifecycle import design_of, find_study, taxonomy_of_study
from clinicnum.types import Frozen, Generation, Instance, Score, Suggestion


class StudyFigures(Frozen):
    """A study's agreement, and whether any of its annotators is simulated."""

    simulated: bool
    agreement: StudyAgreement


def load_study_tables(session: Session, study_name: str) -> StudyTables:
    """All tables of a study, in the order of its files. Raises InputError for an unknown study."""
    study = find_study(session, study_name)
    taxonomy = taxonomy_of_study(session, study_id=study.id)
    instances, generations, scores = _answers(session, study)
    return StudyTables(
        study_name=study.name,
        status=study.status,
        guideline_version=study.guideline_version,
        guideline_examples=_guideline_has(session, study, CASES_TITLE),
        harm_defined=_guideline_has(session, study, HARMS_DEFINED),
        taxonomy_name=taxonomy.id,
        taxonomy_version=taxonomy.version,
        taxonomy_codes=_code_names(taxonomy),
        overlap=study.overlap,
        design=design_of(study) if study.design else None,
        qualified=_qualified(session, study),
        benchmark=session.get_one(BenchmarkRow, study.benchmark_id).meta,
        runs=_runs(session, study),
        instances=instances,
        generations=generations,
        scores=scores,
        inclusions=_inclusions(session, study),
        annotations=load_annotations(session, study.id),
        contests=load_contests(session, study.id),
        adjudications=load_adjudications(session, study.id),
        invalidations=load_invalidations(session, study.id),
        rulings=load_rulings(session, study.id),
        suggestions=_suggestions(session, study),
        criteria=criteria_of_study(session, study.id),
        references=load_references(session, study.id),
        asides=_asides(session, study),
    )


def _guideline_has(session: Session, study: StudyRow, words: str) -> bool | None:
    """Whether these words stand in the guideline in force; None without a stored text."""
    row = session.get(GuidelineRow, (study.id, int(study.guideline_version)))
    return None if row is None else words in row.text


def _qualified(session: Session, study: StudyRow) -> Qualified | None:
    threshold = design_of(study).qualifying
    if threshold is None:
        return None
    people = session.scalars(
        select(col(StudyAnnotatorRow.user_id)).where(col(StudyAnnotatorRow.study_id) == study.id)
    )
    results = [
        training_result(session, study_id=study.id, user_id=user_id, threshold=threshold)
        for user_id in people.all()
    ]
    states = [one.state for one in results]
    return Qualified(
        ended=sum(one.ended for one in results),
        by_training=states.count("qualified"),
        by_hand=states.count("by_hand"),
        repeated=sum(one.attempt > 1 for one in results),
    )


def load_study_agreement(session: Session, study_name: str, *, details: bool = False) -> StudyFigures:
    """The agreement of a study in its layers; `details` adds pairs, wording and alternative intervals.

    Raises InputError for an unknown study.
    """
    view = load_labels(session, study_name)
    agreement = view.agreement if details else view.plain
    return StudyFigures(simulated="simulated" in agreement.annotator_kinds, agreement=agreement)


def load_annotations(session: Session, study_id: str) -> tuple[Annotation, ...]:
    """All revisions of a study's annotations, by generation, annotator, round and revision. Raises InputError
    for one that a newer version wrote.
    """
    statement = (
        select(col(AnnotationRow.payload))
        .join(AssignmentRow, col(AssignmentRow.id) == col(AnnotationRow.assignment_id))
        .join(
            StudyScoreRow,
            (col(StudyScoreRow.study_id) == col(AssignmentRow.study_id))
            & (col(StudyScoreRow.generation) == col(AssignmentRow.generation)),
        )
        .where(col(AnnotationRow.study_id) == study_id)
        .order_by(col(StudyScoreRow.position), col(AssignmentRow.id), col(AnnotationRow.revision))
    )
    annotations = [read_stored(Annotation, payload) for payload in session.scalars(statement)]
    place: dict[str, int] = {}
    for annotation in annotations:
        place.setdefault(annotation.generation_id, len(place))
    return tuple(sorted(annotations, key=lambda one: (place[one.generation_id], *_whose(one))))


def _whose(annotation: Annotation) -> tuple[int, str, str, int]:
    """Sort key of the annotations of one generation: annotator (A2 before A10), then round, then revision."""
    name = annotation.annotator_id
    return len(name), name, annotation.round, annotation.revision


def _code_names(taxonomy: Taxonomy) -> tuple[CodeName, ...]:
    return tuple(CodeName(code=code, name=taxonomy.find(code).name) for code in taxonomy.codes())


def _answers(
    session: Session, study: StudyRow
) -> tuple[tuple[Instance, ...], tuple[Generation, ...], tuple[Score, ...]]:
    """The instances in benchmark order, the generations in file order, and their scores."""
    statement = (
        select(
            col(InstanceRow.id),
            col(InstanceRow.position),
            col(InstanceRow.payload),
            col(GenerationRow.payload),
            col(ScoreRow.payload),
        )
        .join(GenerationRow, col(GenerationRow.instance) == col(InstanceRow.id))
        .join(StudyScoreRow, col(StudyScoreRow.generation) == col(GenerationRow.id))
        .join(ScoreRow, col(ScoreRow.id) == col(StudyScoreRow.score))
        .where(col(StudyScoreRow.study_id) == study.id)
        .order_by(col(StudyScoreRow.position))
    )
    rows = session.execute(statement).all()
    by_id: dict[str, tuple[int, str, dict[str, Any]]] = {
        key: (position, key, payload) for key, position, payload, _, _ in rows
    }
    ordered = sorted(by_id.values(), key=lambda entry: entry[:2])
    return (
        tuple(Instance.model_validate(payload) for _, _, payload in ordered),
        tuple(Generation.model_validate(generation) for _, _, _, generation, _ in rows),
        tuple(Score.model_validate(score) for *_, score in rows),
    )


def _runs(session: Session, study: StudyRow) -> dict[str, dict[str, Any]]:
    statement = (
        select(col(RunRow.run_id), col(StudyRunRow.meta), col(RunRow.label))
        .join(StudyRunRow, col(StudyRunRow.run) == col(RunRow.id))
        .where(col(StudyRunRow.study_id) == study.id)
        .order_by(col(RunRow.run_id))
    )
    found = session.execute(statement)
    return {run_id: meta | ({"label": label} if label else {}) for run_id, meta, label in found}


def _inclusions(session: Session, study: StudyRow) -> tuple[Inclusion, ...]:
    second = aliased(GenerationRow)
    statement = (
        select(
            col(GenerationRow.generation_id),
            col(StudyItemRow.stratum),
            col(StudyItemRow.inclusion_probability),
            col(second.generation_id),
        )
        .join(StudyItemRow, col(StudyItemRow.generation) == col(GenerationRow.id))
        .outerjoin(second, col(second.id) == col(StudyItemRow.second))
        .where(col(StudyItemRow.study_id) == study.id, col(StudyItemRow.round) == "main")
        .order_by(col(StudyItemRow.stratum), col(GenerationRow.generation_id))
    )
    return tuple(
        Inclusion(generation_id=generation_id, stratum=stratum, probability=probability, second=other)
        for generation_id, stratum, probability, other in session.execute(statement)
    )


def _suggestions(session: Session, study: StudyRow) -> tuple[Suggestion, ...]:
    """The suggestions, ordered by generation and rank."""
    statement = select(col(SuggestionRow.payload)).where(col(SuggestionRow.study_id) == study.id)
    found = [Suggestion.model_validate(payload) for payload in session.scalars(statement)]
    return tuple(sorted(found, key=lambda one: (one.generation_id, one.rank, one.code, one.rule)))


def _asides(session: Session, study: StudyRow) -> Asides:
    """Skipped assignments, and flags: those that stand, and those that an adjudicator took away with an
    answer.
    """

    def count(*where: ColumnElement[bool]) -> int:
        of_study = select(func.count()).where(col(AssignmentRow.study_id) == study.id, *where)
        return session.scalars(of_study).one()

    answers = select(func.count()).where(
        col(AuditRow.chain) == study.id, col(AuditRow.action) == "answer_flag"
    )
    answered = session.scalars(answers).one()
    return Asides(
        skipped=count(col(AssignmentRow.status) == "skipped", col(AssignmentRow.round) == "main"),
        flags=count(col(AssignmentRow.flag).is_not(None)) + answered,
        flags_answered=answered,
    )
