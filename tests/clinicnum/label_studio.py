"""An export of Label Studio, made by hand."""

import json
from pathlib import Path
from typing import Any


def studio(folder: Path, *annotations: dict[str, Any]) -> Path:
    path = folder / "export.json"
    path.write_text(json.dumps([{"id": 7, "data": {}, "annotations": list(annotations)}]), encoding="utf-8")
    return path


def annotation(number: int = 1, who: Any = 3, **changes: Any) -> dict[str, Any]:
    result = {"from_name": "cause", "type": "choices", "value": {"choices": ["a"]}}
    return {
        "id": number,
        "completed_by": who,
        "created_at": f"2026-01-0{number}",
        "result": [result],
        **changes,
    }


def value(kind: str, held: Any) -> dict[str, Any]:
    return {"result": [{"from_name": "cause", "type": kind, "value": {kind: held}}]}
