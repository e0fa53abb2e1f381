"""What an error leaves for whoever runs the server: one JSON line, without a word of any patient."""

import json
import sys
import traceback
import uuid
from pathlib import Path
from typing import Any

Line = dict[str, Any]


def to_stderr(line: Line) -> None:
    """Write one line."""
    print(json.dumps(line, ensure_ascii=True), file=sys.stderr, flush=True)


def log_error(error: BaseException) -> str:
    """Write where an error arose, without its message, which may quote a patient; return its number."""
    mark = uuid.uuid4().hex[:8]
    frames = [
        f"{Path(one.filename).name}:{one.lineno} {one.name}"
        for one in traceback.extract_tb(error.__traceback__)
    ]
    to_stderr({"error": mark, "type": type(error).__name__, "where": frames[-6:]})
    return mark


def apology(mark: str) -> str:
    """What the user reads of an error that is ours."""
    return f"Something went wrong here (error {mark}); what you saved before is kept. Try again."
