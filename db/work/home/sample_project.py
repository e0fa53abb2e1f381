"""The sample project: made in one go, and removed with all that was made from it, labels included.

Its labels are the only ones that the program ever deletes. The audit log keeps what was logged of them and
says that they were removed, so that replaying it expects nothing more.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlmodel import Session, col

from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.study_seed import parse_seed
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.api.sample_project import BENCHMARK, RUNS
from clinicnum.db.engine import lock
from clinicnum.db.rows import (
    AnnotationRow,
    AssignmentRow,
    BenchmarkRow,
    CitationRow,
    GenerationRow,
    InstanceRow,
    MessageReadRow,
    MessageRow,
    PageStateRow,
    Row,
    RunRow,
    SavedViewRow,
    ScoreRow,
    StudyAnnotatorRow,
    StudyRow,
    UserRow,
)
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.common.suspend_append_only import deletable
from clinicnum.db.work.home.scripted_people import (
    HABITS,
    add_scripted,
    adjudicate,
    ask_about,
    label_next,
    scripted_annotators,
)
from clinicnum.db.work.jobs.job_store import evaluator
from clinicnum.db.work.reports.frozen_reports import forget_studies
from clinicnum.db.work.runs.run_names import label_run
from clinicnum.db.work.runs.stored_runs import add_runs
from clinicnum.db.work.studies.study_planning import new_seed, open_planned, plan_stored
from clinicnum.errors import Conflict, InputError
from clinicnum.translatable_text import Translatable

STUDY, LABELLED = "Sample", "Sample, labelled by scripts"
ITEMS, LABELLED_ITEMS, LEFT = 12, 24, 3
"""Items of the two studies, and disagreements that the scripted adjudicator leaves."""
READERS, LEAD = ("sample-reader-1", "sample-reader-2", "sample-reader-3"), "sample-lead"
"""Accounts of the scripts that label and decide in the study `LABELLED`."""
GUARDED = ("annotation", "message", "message_read", "guideline_ruling")
"""Append-only tables in which the sample may have rows."""


def has_sample(session: Session) -> bool:
    """Whether the sample project is there."""
    return session.get(BenchmarkRow, BENCHMARK) is not None


def sample_annotators(session: Session, *, user_id: str) -> tuple[str, ...]:
    """Names of the accounts that can label in the sample. Raises NotAllowed for an account that may not
    evaluate.
    """
    evaluator(session, user_id)
    statement = select(col(UserRow.name)).where(
        col(UserRow.role) == "annotator", col(UserRow.active), col(UserRow.annotator_kind) == "human"
    )
    return tuple(session.scalars(statement.order_by(col(UserRow.name))))


def make_sample(
    session: Session,
    material: Material,
    *,
    user_id: str,
    annotators: Sequence[str] = (),
    labelled: int = LABELLED_ITEMS,
) -> None:
    """Store the sample's benchmark and runs, a study on them that scripts label and adjudicate, and a second
    study that is open to these accounts; without any account, only the first study.

    `labelled` is the number of items of the first study. Raises Conflict if the sample is there already,
    NotAllowed for an account that may not evaluate, and InputError for accounts that cannot annotate and if
    another study has its name.
    """
    evaluator(session, user_id)
    lock(session, "create_study")
    if has_sample(session):
        raise Conflict(Translatable("The sample project is there already; remove it to make it anew."))
    added = add_runs(session, material=material, actor=user_id)
    for run in added:
        label_run(session, run=run.run, label=RUNS[run.run_id], actor=user_id)
    _make_labelled(session, [run.run for run in added], size=labelled, actor=user_id)
    if annotators:
        planned = plan_stored(
            session,
            runs=[run.run for run in added],
            annotators=annotators,
            design=Design(include="incorrect", size=ITEMS, overlap=len(annotators)),
            seed=parse_seed(new_seed()),
        )
        open_planned(session, planned, name=STUDY, taxonomy=load_taxonomy(), actor=user_id)


def _make_labelled(session: Session, runs: Sequence[str], *, size: int, actor: str) -> None:
    """Open the study that is labelled by scripts, and let them label and adjudicate it."""
    add_scripted(session, READERS, "annotator")
    add_scripted(session, [LEAD], "adjudicator")
    planned = plan_stored(
        session,
        runs=runs,
        annotators=READERS,
        design=Design(include="mixed", size=size, overlap=len(READERS)),
        seed=parse_seed(new_seed()),
    )
    taxonomy = load_taxonomy()
    study = open_planned(session, planned, name=LABELLED, taxonomy=taxonomy, actor=actor)
    opened, asked = study.study_id, False
    for reader in scripted_annotators(session, study_id=opened, error_rate=0.05, seed=0, habits=HABITS):
        while (labelled := label_next(session, reader, study_id=opened, taxonomy=taxonomy)) is not None:
            asked = asked or ask_about(session, reader, labelled)
    lead = session.scalars(select(col(UserRow.id)).where(col(UserRow.name) == LEAD)).one()
    adjudicate(session, study_id=opened, user_id=lead, leave=LEFT)


def count_labelled(session: Session) -> int:
    """How many judgements people have begun or submitted in studies of the sample."""
    statement = (
        select(func.count())
        .select_from(AssignmentRow)
        .join(UserRow, col(UserRow.id) == col(AssignmentRow.user_id))
        .where(
            col(AssignmentRow.study_id).in_(_studies()),
            col(AssignmentRow.revision) > 0,
            col(UserRow.annotator_kind) == "human",
        )
    )
    return int(session.execute(statement).scalar_one())


def remove_sample(session: Session, *, user_id: str, confirmed: bool = False) -> None:
    """Delete the sample's benchmark, runs and all studies on them, with everything in these.

    Drafts that were made from its failures stay. Raises InputError if there is none, NotAllowed for an
    account that may not evaluate, and Conflict if people labelled in it, unless `confirmed`.
    """
    evaluator(session, user_id)
    lock(session, "create_study")
    if not has_sample(session):
        raise InputError(Translatable("There is no sample project; nothing was removed."))
    labelled = count_labelled(session)
    if labelled and not confirmed:
        raise Conflict(
            Translatable(
                "People made {n} judgements in the sample project; tick the box that says that these may be "
                "deleted too.",
                n=labelled,
            )
        )
    studies = list(
        session.execute(select(col(StudyRow.id), col(StudyRow.name)).where(col(StudyRow.id).in_(_studies())))
    )
    for study_id, _ in studies:
        lock(session, f"study:{study_id}")
    with deletable(session, GUARDED):
        forget_studies(session, {study_id for study_id, _ in studies})
        _delete_studies(session)
        _delete_material(session)
        _delete_scripts(session)
    session.expire_all()
    for study_id, name in studies:
        append(session, study_id=study_id, actor=user_id, action="remove_study", before={"name": name})
    told = {"benchmark": BENCHMARK, "studies": [name for _, name in studies], "judgements": labelled}
    append(session, study_id=None, actor=user_id, action="remove_sample", before=told)


def _studies() -> Any:
    return select(col(StudyRow.id)).where(col(StudyRow.benchmark_id) == BENCHMARK)


def _delete_studies(session: Session) -> None:
    """Delete all rows of the studies; a table of a study's rows names it in a column `study_id`."""
    own = col(PageStateRow.study_id).in_(_studies())
    session.execute(update(PageStateRow).where(own).values(study_id=None))
    annotations = select(col(AnnotationRow.id)).where(col(AnnotationRow.study_id).in_(_studies()))
    messages = select(col(MessageRow.id)).where(col(MessageRow.study_id).in_(_studies()))
    session.execute(delete(CitationRow).where(col(CitationRow.annotation_id).in_(annotations)))
    session.execute(delete(MessageReadRow).where(col(MessageReadRow.message_id).in_(messages)))
    for table in reversed(Row.metadata.sorted_tables):
        if "study_id" in table.c and not table.c.study_id.nullable:
            session.execute(delete(table).where(table.c.study_id.in_(_studies())))
    session.execute(delete(StudyRow).where(col(StudyRow.benchmark_id) == BENCHMARK))


def _delete_scripts(session: Session) -> None:
    """Delete the accounts of the sample's scripts, except annotators that another study has too."""
    elsewhere = select(col(StudyAnnotatorRow.user_id))
    scripts = col(UserRow.name).in_((*READERS, LEAD)) & (col(UserRow.annotator_kind) == "simulated")
    session.execute(delete(UserRow).where(scripts, col(UserRow.id).not_in(elsewhere)))


def _delete_material(session: Session) -> None:
    """Delete the benchmark, its instances, runs, generations and scores, and views of these runs alone."""
    runs = select(col(RunRow.id)).where(col(RunRow.benchmark_id) == BENCHMARK)
    gone = set(session.scalars(runs))
    for view in session.scalars(select(SavedViewRow)):
        if gone.issuperset(view.query.get("runs") or [""]):
            session.delete(view)
    session.flush()
    generations = select(col(GenerationRow.id)).where(col(GenerationRow.run).in_(runs))
    session.execute(delete(ScoreRow).where(col(ScoreRow.generation).in_(generations)))
    session.execute(delete(GenerationRow).where(col(GenerationRow.run).in_(runs)))
    session.execute(delete(RunRow).where(col(RunRow.benchmark_id) == BENCHMARK))
    session.execute(delete(InstanceRow).where(col(InstanceRow.benchmark_id) == BENCHMARK))
    session.execute(delete(BenchmarkRow).where(col(BenchmarkRow.id) == BENCHMARK))
