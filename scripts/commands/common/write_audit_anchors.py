"""Where anchors of the audit log are stored, and when they are written: see `clinicnum.db.audit_anchors` and
`docs/audit.md`.
"""

import os
import re
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from clinicnum.annotations.audit_anchor import Anchor
    from clinicnum.ui.app.observability import Metrics

ENVIRONMENT = "CLINICNUM_AUDIT_DIR"
LONGEST_WAIT_S = 3600.0
"""The thread wakes up at least this often, to notice a clock that was changed."""

AuditDirOption = Annotated[
    Path | None,
    typer.Option(
        "--audit-dir",
        help=f"Folder of the audit log's key and anchors; default: {ENVIRONMENT}, else one for the database.",
    ),
]


def audit_folder(engine: "Engine", given: Path | None = None) -> Path:
    """The folder `given`, otherwise that of the variable CLINICNUM_AUDIT_DIR, otherwise one beside the SQLite
    file or in the user's state folder.
    """
    named = given or os.environ.get(ENVIRONMENT)
    if named:
        return Path(named)
    url = engine.url
    if url.get_backend_name() == "sqlite":
        return Path(f"{url.database}-audit")
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    name = "-".join(str(part) for part in (url.host or "local", url.port, url.database) if part)
    return state / "clinicnum" / "audit" / re.sub(r"[^A-Za-z0-9.-]", "_", name)


def anchor_or_warn(
    engine: "Engine", folder: Path | None = None, metrics: "Metrics | None" = None
) -> "Anchor | None":
    """Write an anchor and return it; if that fails, report it on standard error, count it in `metrics`, and
    return None.
    """
    from clinicnum.db.audit_anchors import write_anchor
    from clinicnum.errors import ClinicnumError

    try:
        anchor = write_anchor(engine, audit_folder(engine, folder))
    except (ClinicnumError, OSError) as error:
        print(f"warning: the audit log is not anchored: {error}", file=sys.stderr, flush=True)
        if metrics is not None:
            metrics.anchor_failures.inc()
        return None
    if metrics is not None:
        metrics.anchored_at.set(anchor.at.timestamp())
    return anchor


def write_anchor_beside(file: Path, anchor: "Anchor") -> None:
    """Write the anchor to `FILE.anchor.json` beside a backup, which holds the log at least up to this anchor.

    Raises InputError if the folder does not exist.
    """
    from clinicnum.io.jsonl import replacing

    with replacing(file.with_name(f"{file.name}.anchor.json")) as handle:
        handle.write(anchor.model_dump_json() + "\n")


class DailyAnchors:
    """Writes an anchor at the start and after each day (UTC), in a separate thread."""

    def __init__(
        self,
        engine: "Engine",
        folder: Path,
        metrics: "Metrics",
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        longest_wait_s: float = LONGEST_WAIT_S,
    ) -> None:
        self.engine, self.folder, self.metrics = engine, folder, metrics
        self.now, self.longest_wait_s = now, longest_wait_s
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="daily-anchors", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread; waits for an anchor being written."""
        self._ended.set()
        self._thread.join()

    def write(self) -> None:
        """Write an anchor now."""
        anchor_or_warn(self.engine, self.folder, self.metrics)

    def _run(self) -> None:
        due = next_midnight(self.now())
        self.write()
        while not self._ended.wait(min(self.longest_wait_s, max(0.0, (due - self.now()).total_seconds()))):
            now = self.now()
            if now >= due:
                self.write()
                due = next_midnight(now)


def next_midnight(now: datetime) -> datetime:
    """The next midnight in UTC."""
    return datetime(now.year, now.month, now.day, tzinfo=UTC) + timedelta(days=1)
