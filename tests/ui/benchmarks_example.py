"""People, benchmarks and what the browser sends, for the tests of the benchmarks page."""

from types import SimpleNamespace
from typing import Any

from sqlalchemy import Engine, select

from clinicnum.api.make_benchmark import make_benchmark, plan_benchmark
from clinicnum.api.record_sources import Wanted
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import JobRow
from clinicnum.db.upload_storage import Uploads
from clinicnum.db.work.accounts.users import add_user
from clinicnum.db.work.bank.template_versions import add_packaged_templates
from clinicnum.db.work.benchmarks.benchmark_storage import store_benchmark
from clinicnum.db.work.release.releases import PlannedRelease, ReleaseOptions
from clinicnum.db.work.runs import stored_runs
from clinicnum.templates.packaged_banks import named_bank
from tests.db.examples import material
from tests.db.publishing import publish
from tests.ui.gradio_request import Request

FORM = ("Mine", "synthetic", "", "", "small", "base", ["structured", "note"], ["missing.masked"], 0)


def add_people(engine: Engine) -> dict[str, Any]:
    """The requests of a researcher and an annotator."""
    with writing(engine) as session:
        return {
            role: Request(add_user(session, name=role, role=role, password=None).user_id)  # type: ignore[arg-type]
            for role in ("researcher", "annotator")
        }


def add_benchmarks(engine: Engine) -> str:
    """A generated benchmark of 4 questions, and one loaded with a run, of which no meta is known."""
    plan = plan_benchmark(
        Wanted("synthetic", None, "", False),
        preset="small",
        quota="retrieval=2,arithmetic=2",
        representation="structured,note",
        scope=None,
        bank="base",
        notes=None,
        variants="input.typo",
        seed=1,
    )
    instances, meta = make_benchmark(plan)
    with writing(engine) as session:
        stored_runs.add_runs(session, material=material(wrong=2, right=1))
        return store_benchmark(session, meta={**meta, "name": "Ward"}, instances=instances)


def selected(*row: object, value: object = None) -> Any:
    return SimpleNamespace(row_value=list(row), value=value)


def jobs(engine: Engine) -> list[tuple[str, dict[str, Any]]]:
    with reading(engine) as session:
        return [(row.kind, row.arguments) for row in session.scalars(select(JobRow))]


def publish_retrieval(engine: Engine) -> PlannedRelease:
    """A release of all that reads off a value."""
    others = tuple(one.id for one in named_bank("all") if one.operation != "retrieval")
    with writing(engine) as session:
        add_packaged_templates(session)
        order = ReleaseOptions(name="ward-1", include_unreviewed=True, leave_out=others)
        return publish(session, order)


def upload(uploads: Uploads, owner: str, content: bytes, name: str = "mine.csv") -> Any:
    with uploads.begin(owner=owner, name=name, size=len(content)) as receiving:
        receiving.write(content)
        return selected(value={"upload": receiving.finish().upload_id, "name": name})
