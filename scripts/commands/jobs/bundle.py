"""The job `bundle`: a whole study in one archive, as `clinicnum export --bundle` writes it."""

from typing import Any

from clinicnum.annotations.worker_jobs import BundleArguments
from clinicnum.db.engine import reading
from clinicnum.scripts.commands.jobs.job_context import JobContext


def bundle(context: JobContext, arguments: BundleArguments) -> dict[str, Any]:
    """Pack the study and store the archive.

    Raises InputError for credentialed records unless `allow_credentialed` is set.
    """
    from clinicnum.annotations.report.study_view import StudyView
    from clinicnum.db.work.reports.readable_studies import check_readable
    from clinicnum.db.work.reports.stored_bundles import store_bundle
    from clinicnum.db.work.studies import load_study_for_bundle
    from clinicnum.errors import InputError
    from clinicnum.scripts.commands.export import anchored_files, packed_bundle

    context.report(done=0, total=2, step="reading")
    with reading(context.engine) as session:
        (study,) = check_readable(session, (arguments.study,), user_id=context.user_id)
        material = load_study_for_bundle.load_study_material(session, study.name)
        released = load_study_for_bundle.load_released(session, study.name)
    if StudyView(material.tables).data_use is not None and not arguments.allow_credentialed:
        raise InputError(
            f"study {study.name!r} rests on records that are not open, which its bundle would hold; allow "
            "it, and give the bundle only to people who may see the records"
        )
    context.report(done=1, total=2, step="packing")
    content = packed_bundle(material, released, anchored=anchored_files(context.engine))
    return context.end_with(
        lambda session: store_bundle(session, job_id=context.job_id, study=study, content=content)
    )
