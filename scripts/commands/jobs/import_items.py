"""The job `import_items`: import questions from an uploaded file, as `clinicnum import items` does."""

from typing import TYPE_CHECKING, Any

from sqlmodel import Session

from clinicnum.annotations.worker_jobs import ImportArguments
from clinicnum.db.engine import reading
from clinicnum.db.upload_storage import Uploads
from clinicnum.db.work.benchmarks.benchmark_changes import check_not_changed
from clinicnum.db.work.benchmarks.benchmark_storage import begin_benchmark, store_benchmark
from clinicnum.scripts.commands.common.uploads_folder import uploads_folder
from clinicnum.scripts.commands.jobs.job_context import JobContext

if TYPE_CHECKING:
    from clinicnum.io.text_lines import Progress


def import_items(context: JobContext, arguments: ImportArguments) -> dict[str, Any]:
    """Read the whole file, then store its items; the uploaded file is deleted when they are stored.

    Raises InputError for items that are stored already under another name or with other openness.
    """
    from clinicnum.credentialed_data import data_use, mark
    from clinicnum.imports.import_items import Items
    from clinicnum.imports.item_preview import naming
    from clinicnum.variants import parse_variants
    from clinicnum.variants.imported import IMPORTED_ATTACK

    uploads = Uploads(uploads_folder(context.files))
    upload = uploads.find(arguments.upload, owner=context.user_id)
    path = uploads.path(upload)
    with naming(path, upload.name):
        items = Items(
            path,
            arguments.format,
            prompt_id=None,
            open_data=arguments.open_data,
            columns=arguments.columns,
            file_name=upload.name,
            variants=parse_variants(arguments.variants, IMPORTED_ATTACK) if arguments.variants else (),
            seed=arguments.seed,
        )
        instances = tuple(items.read(megabytes_read(context, upload.size)))
    meta = items.meta()
    meta |= mark(data_use(meta)) | ({"name": arguments.label} if arguments.label else {})

    with reading(context.engine) as session:
        check_not_changed(session, meta=meta, benchmark=meta["benchmark_id"])
    with context.storing() as parts:
        begin_benchmark(parts, meta=meta, instances=instances)

        def store(session: Session) -> dict[str, Any]:
            benchmark = store_benchmark(
                session, meta=meta, instances=instances, actor=context.user_id, parts=parts
            )
            return {"benchmark": benchmark, "instances": len(instances)}

        result = context.end_with(store)
    uploads.delete(upload.upload_id)
    return result


def megabytes_read(context: JobContext, size: int) -> "Progress":
    """A function that is called with each number of bytes read, and reports how much of a file of `size`
    bytes the job has read, in megabytes.
    """
    megabyte, read = 2**20, 0

    def progress(count: int) -> None:
        nonlocal read
        read += count
        context.report(done=read // megabyte, total=-(-size // megabyte), unit="MB", step="reading")

    return progress
