"""Time the handler that loads the home page, for each role on synthetic studies, without the web server.

    python -m clinicnum.scripts.dev.bench_home [--items 1000] [--studies 3] [--times 40]

In every study three annotators judge each item, one of them unlike the others on one item in five; the oldest
study is closed. Twenty reports are frozen.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Engine, insert
from sqlmodel import Session, select

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.types import ROLES
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import make_engine, writing
from clinicnum.db.migrate import migrate
from clinicnum.db.rows import FrozenReportRow, JobRow, StudyRow, utc_now
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.scripts.dev.bench_explore import timed
from clinicnum.scripts.dev.load_test.synthetic_study import made_up, open_made_up
from clinicnum.ui.pages.home.page import HomeHandlers

ANNOTATORS = 3
DIFFER = 5
"""One annotator differs from the others on one item in this many."""


class Request:
    """Takes the place of a web request, of which the page's handlers read only the user's name."""

    def __init__(self, username: str) -> None:
        self.username = username


def fill(engine: Engine, items: int, studies: int) -> dict[str, str]:
    """Create fully judged studies; returns role -> account id."""
    people: dict[str, str] = {}
    with writing(engine) as session:
        for role in ROLES:
            people[role] = users.add_user(session, name=role, role=role, password=None).user_id
    for number in range(studies):
        name = f"study {number}"
        open_made_up(engine, made_up(items), annotators=ANNOTATORS, overlap=ANNOTATORS, name=name)
        judge_all(engine, items, number)
        if number == 0:
            with writing(engine) as session:
                study_lifecycle.close_study(session, name=name)
    with writing(engine) as session:
        freeze_reports(session, people["admin"])
    return people


def judge_all(engine: Engine, items: int, number: int) -> None:
    """Let the annotators of a study judge all their items."""
    with writing(engine) as session:
        whose = [one for one in users.list_users(session) if one.name.startswith(f"study-{number}-")]
    for place, one in enumerate(whose):
        for item in range(items):
            with writing(engine) as session:
                given = annotate.next_assignment(session, user_id=one.user_id)
                if given is None:
                    break
                other = item % DIFFER == 0 and place == 0
                annotate.submit(
                    session,
                    user_id=one.user_id,
                    assignment_id=given.assignment_id,
                    revision=given.revision,
                    judgement=judgement("causal_reasoning" if other else "omission"),
                    active_ms=20_000,
                )


def judgement(code: str) -> Judgement:
    """A complete judgement that an answer fails with this taxonomy code."""
    return Judgement(
        item_judgement="valid",
        response_judgement="failure",
        labels=(Label(code=code, primary=True, spans=((0, 10),)),),
        severity="2",
        rationale="made up",
    )


def freeze_reports(session: Session, user_id: str) -> None:
    """Insert twenty frozen reports, without files."""
    ids = list(session.scalars(select(StudyRow.id)))
    for number in range(20):
        own = {"id": f"report{number}", "created_at": utc_now()}
        job = {"kind": "report", "arguments": {}, "requested_by": user_id, "status": "done", "progress": {}}
        session.execute(insert(JobRow).values(**own, **job))
        frozen = {"job_id": own["id"], "title": f"report {number}", "studies": [ids[number % len(ids)]]}
        session.execute(
            insert(FrozenReportRow).values(**own, **frozen, options={}, sha256="0" * 64, created_by=user_id)
        )


def measure(folder: Path, items: int, studies: int, times: int) -> Iterator[str]:
    """Fill a database in the folder, and yield the figures as lines of text."""
    engine = make_engine(f"sqlite:///{folder / 'home.db'}")
    migrate(engine)
    people = fill(engine, items, studies)
    page = HomeHandlers(Store(engine))
    yield f"{studies} studies of {items:,} items, {ANNOTATORS} judgements each"
    for role, user_id in people.items():
        yield f"{role}: {timed(lambda _n, one=user_id: page.load(Request(one)), times)}"  # type: ignore[misc]
    engine.dispose()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--items", type=int, default=1_000, help="items of each study")
    parser.add_argument("--studies", type=int, default=3)
    parser.add_argument("--times", type=int, default=40)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for line in measure(Path(folder), given.items, given.studies, given.times):
            print(line, flush=True)


if __name__ == "__main__":
    main()
