"""Log errors to stderr as one JSON line each, without patient data."""

import json
import sys
import traceback
import uuid
from pathlib import Path
from typing import Any

from clinicnum.ui.components.language import _

Line = dict[str, Any]


def to_stderr(line: Line) -> None:
    """Write `line` to stderr as JSON."""
    print(json.dumps(line, ensure_ascii=True), file=sys.stderr, flush=True)


def log_error(error: BaseException) -> str:
    """Log the error's type and stack, but not its message, which may quote patient data; return its id."""
    mark = uuid.uuid4().hex[:8]
    frames = [
        f"{Path(one.filename).name}:{one.lineno} {one.name}"
        for one in traceback.extract_tb(error.__traceback__)
    ]
    to_stderr({"error": mark, "type": type(error).__name__, "where": frames[-6:]})
    return mark


def internal_error_message(mark: str) -> str:
    """The message shown to the user after an internal error; `mark` is the id that `log_error` returned."""
    return _("Something went wrong here (error {mark}); what you saved before is kept. Try again.", mark=mark)
