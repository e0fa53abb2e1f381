"""How a run was made, as rows of a table. No Gradio, no database."""

from collections.abc import Mapping
from typing import Any

from clinicnum.annotations.study_summary import RunSummary
from clinicnum.prompt_file import recorded_prompt
from clinicnum.stats.accuracy import STATUSES
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.html import MISSING
from clinicnum.ui.components.language import _
from clinicnum.ui.components.value_display_names import STATUS_NAMES

DETAIL_COLUMNS = (Translatable("About the run"), Translatable("Value"))
CLIENTS: dict[object, str] = {
    "local": Translatable("run on a machine of ours"),
    "openai": Translatable("asked of a server"),
    "import": Translatable("uploaded or loaded; made elsewhere"),
}
LONGEST = 500
"""Most characters of a value that comes from a file."""


def detail_rows(run: RunSummary, meta: Mapping[str, Any]) -> list[list[str]]:
    """Rows for DETAIL_COLUMNS: the run's meta data, as far as known."""
    session = _last_session(meta)
    decoding = meta.get("decoding")
    told: tuple[tuple[str, object], ...] = (
        (_("Id of the run"), run.run_id),
        (_("Key in the database"), run.run),
        (_("Benchmark"), run.benchmark_id),
        (_("Model"), run.model),
        (_("Revision of the model"), session.get("model_revision")),
        (_("How it was run"), _client(meta.get("client") or session.get("client"))),
        (_("Server"), session.get("base_url")),
        (_("Device"), session.get("device")),
        (_("Number type"), meta.get("dtype")),
        (_("Quantised"), meta.get("quantize")),
        (_("Prompts"), _joined(meta.get("prompt_ids"))),
        *_own_prompt(meta),
        (_("Decoding"), _pairs(decoding) if isinstance(decoding, dict) else None),
        (_("Versions"), _pairs(session.get("versions"))),
        (_("File"), meta.get("source")),
        (_("Begun or uploaded"), run.begun_at),
        (_("Failed samples"), run.statuses.get("error", 0)),
        (_("Scored as"), _statuses(run)),
        (_("SHA-256 of the benchmark"), meta.get("benchmark_sha256")),
    )
    return [[name, str(value)[:LONGEST]] for name, value in told if value not in (None, "")]


def _last_session(meta: Mapping[str, Any]) -> Mapping[str, Any]:
    sessions = meta.get("sessions")
    last = sessions[-1] if isinstance(sessions, list) and sessions else None
    return last if isinstance(last, dict) else {}


def _own_prompt(meta: Mapping[str, Any]) -> tuple[tuple[str, object], ...]:
    """The parts of the user's own prompt, as (name, text); none if the run used a prompt of this program."""
    prompt = recorded_prompt(meta)
    if prompt is None:
        return ()
    return (
        (_("System text of the prompt"), prompt.system),
        (_("Wording of the prompt"), prompt.wording),
        (_("Form of the answer asked"), prompt.form or _("the usual one, by which answers are scored")),
        (_("Examples shown"), len(prompt.examples) or None),
    )


def _client(name: object) -> str | None:
    return None if name is None else _(CLIENTS.get(name, str(name)))


def _joined(values: object) -> str | None:
    return ", ".join(map(str, values)) if isinstance(values, list) else None


def _pairs(values: object) -> str | None:
    if not isinstance(values, dict):
        return None
    return ", ".join(f"{name} {MISSING if value is None else value}" for name, value in values.items())


def _statuses(run: RunSummary) -> str:
    counts = [f"{run.statuses[one]} {_(STATUS_NAMES[one])}" for one in STATUSES if one in run.statuses]
    return ", ".join(counts) or _("none scored")
