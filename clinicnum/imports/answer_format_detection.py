"""Detect the format of a generations file from its first line."""

from pathlib import Path

from clinicnum.imports.read_rows import check_file, header_of
from clinicnum.io.strict_json import plain_json
from clinicnum.io.text_lines import text_lines
from clinicnum.translatable_text import Translatable

_BY_FIELD = {"resps": "lm-eval", "LLM Answer": "medcalc", "samples": "inspect", "eval": "inspect"}
"""JSON field -> the only format with it."""
_ROBBENCH = {"question", "generated_text"}


def find_answer_format(path: Path) -> str:
    """The file's format, of `ANSWER_FORMATS`. Raises InputError if it is empty or no UTF-8 text."""
    check_file(path, Translatable("a file of answers"))
    with path.open("rb") as handle:
        if handle.read(2) == b"PK":  # a zip, as Inspect writes
            return "inspect"
    first = next((line for line in text_lines(path) if line.strip()), "").strip()
    if not first.startswith("{"):
        return "clinicnumrobbench" if set(header_of(path)) >= _ROBBENCH else "csv"
    try:
        fields = plain_json(first)
    except ValueError:
        return "inspect" if first == "{" else "jsonl"  # Inspect writes one object over many lines
    named = (name for field, name in _BY_FIELD.items() if field in fields)
    return next(named, "jsonl")
