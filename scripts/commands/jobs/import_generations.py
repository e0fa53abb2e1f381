"""The job `import_generations`: import answers from an uploaded file, as `clinicnum import generations` does,
and score them.
"""

from datetime import UTC, datetime
from typing import Any

from clinicnum.annotations.worker_jobs import ImportArguments
from clinicnum.db.engine import reading
from clinicnum.db.upload_storage import Uploads
from clinicnum.db.work.benchmarks.benchmark_storage import write_benchmark_file
from clinicnum.scripts.commands.common.uploads_folder import uploads_folder
from clinicnum.scripts.commands.jobs.import_items import megabytes_read
from clinicnum.scripts.commands.jobs.job_context import JobContext
from clinicnum.scripts.commands.jobs.run_model import scored_material, store_run
from clinicnum.scripts.commands.jobs.score import cause_counts


def import_generations(context: JobContext, arguments: ImportArguments) -> dict[str, Any]:
    """Read the whole file, score it, then store the run; the uploaded file is deleted when it is stored."""
    from clinicnum.credentialed_data import data_use, mark
    from clinicnum.imports.import_generations import Answers
    from clinicnum.imports.item_preview import naming
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.io.jsonl import checked_meta, sha256_file, write_jsonl

    uploads = Uploads(uploads_folder(context.files))
    upload = uploads.find(arguments.upload, owner=context.user_id)
    path, benchmark = uploads.path(upload), context.folder / "benchmark.jsonl"
    if not benchmark.is_file():
        with reading(context.engine) as session:
            write_benchmark_file(session, arguments.benchmark_id or "", benchmark)
    known = read_benchmark(benchmark)
    with naming(path, upload.name):
        answers = Answers(
            path,
            arguments.format,
            known=known,
            benchmark_sha256=sha256_file(benchmark),
            model_name=arguments.model,
            options={
                "id_field": arguments.columns.get("instance_id"),
                "text_field": arguments.columns.get("text"),
            },
            own_prompts=arguments.own_prompts,
            file_name=upload.name,
        )
        read = tuple(answers.read(megabytes_read(context, upload.size)))
    meta = answers.meta() | mark(data_use(checked_meta(benchmark), known.values()))
    generations = context.folder / "generations.jsonl"
    imported_at = datetime.now(UTC).isoformat(timespec="seconds")
    write_jsonl(generations, (one for one, _score in read), meta | {"imported_at": imported_at})
    material = scored_material(context, benchmark, generations)
    causes = cause_counts(material)
    told = {"benchmark": arguments.benchmark_id, "unanswered": meta["n_without"], "causes": causes}
    result = store_run(context, material, label=arguments.label, told=told)
    uploads.delete(upload.upload_id)
    return result
