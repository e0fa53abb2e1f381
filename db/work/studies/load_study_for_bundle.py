"""Load a whole study for a bundle: the report's tables, the taxonomy in use, and the settings."""

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.bundle.raw_files import StudyMaterial, StudySettingsAndState
from clinicnum.annotations.report.bank_release_of_benchmark import named_release
from clinicnum.annotations.study_seed import parse_seed
from clinicnum.db.rows import BenchmarkRow, ReleaseRow
from clinicnum.db.work.common.model_masking_period import is_masked
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.db.work.studies.study_lifecycle import find_study, taxonomy_of_study
from clinicnum.db.work.studies.study_progress import guideline_versions


def load_study_material(session: Session, study_name: str) -> StudyMaterial:
    """Everything in a study. Raises InputError for an unknown study."""
    study = find_study(session, study_name)
    hidden = is_masked(session, study)  # the seed would reveal which model is behind an item
    return StudyMaterial(
        tables=load_study_tables(session, study_name),
        taxonomy=taxonomy_of_study(session, study_id=study.id),
        opened=StudySettingsAndState(
            status=study.status,
            include=study.include,
            seed=None if hidden else parse_seed(study.seed),
            secret=None if hidden else study.secret,
            suggestion_policy=study.suggestion_policy,
            created_at=study.created_at,
            closed_at=study.closed_at,
            guidelines=tuple(reversed(guideline_versions(session, study))),
        ),
    )


def load_released(session: Session, study_name: str) -> dict[str, str]:
    """The files of the release that the study's benchmark names; empty if no such release is stored.

    Raises InputError for an unknown study.
    """
    benchmark = session.get_one(BenchmarkRow, find_study(session, study_name).benchmark_id).meta
    release = named_release(benchmark)
    if release is None:
        return {}
    files = select(col(ReleaseRow.files)).where(col(ReleaseRow.sha256) == release.sha256)
    return session.scalar(files) or {}
