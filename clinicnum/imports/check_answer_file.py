"""Look at the beginning of a file of answers before it is imported: its fields, and what is wrong in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clinicnum.errors import InputError
from clinicnum.imports.generations_jsonl import OWN_ID
from clinicnum.imports.import_generations import ANSWER_FORMATS, DEFAULTS
from clinicnum.imports.item_preview import BEGINNING
from clinicnum.imports.question_csv import ALIASES, plain_name
from clinicnum.imports.read_rows import Beginning, header_of
from clinicnum.io.strict_json import plain_json
from clinicnum.io.text_lines import text_lines
from clinicnum.types import Instance

ASKED = frozenset({"prompt", "question"})
"""Fields by whose text a question is found where no field holds its id."""
TEXTS = (
    *("text", "response", "model_answer", "output", "generation", "generated_text", "completion"),
    *("prediction", "reply", "answer_text", "answer", "antwort"),
)
"""Names that other programs give the field of the answer, the likelier ones first."""


@dataclass(frozen=True)
class CheckedAnswers:
    """What the beginning of a file of answers holds; no row of it is wrong."""

    answers: int
    """Answers read; 0 for a format that can be read only by the import."""
    whole: bool
    """Whether the file was read to its end."""


def fields_of(path: Path, name: str) -> list[str]:
    """The names of a CSV's columns or of the first JSON object's fields, for a format `csv` or `jsonl`; none
    where there are no such names.
    """
    if name == "csv":
        return [one for one in header_of(path) if one]
    if name != "jsonl":
        return []
    try:
        first = plain_json(next((line for line in text_lines(path) if line.strip()), ""))
    except (ValueError, InputError):
        return []  # its reader says what is wrong
    return [str(key) for key in first] if isinstance(first, dict) else []


def propose_fields(fields: list[str]) -> dict[str, str]:
    """`instance_id` and `text` -> the field that is likely to hold the question's id, and the answer, where
    its name is another one. The question's own text is left to be found by its usual names.
    """
    by_name = {plain_name(one): one for one in reversed(fields)}
    found = {}
    ids = () if OWN_ID in fields else ALIASES["id"] if ASKED.isdisjoint(fields) else ALIASES["id"][:4]
    for ours, aliases in (("instance_id", ids), ("text", () if "text" in fields else TEXTS)):
        named = next((by_name[alias] for alias in aliases if alias in by_name), None)
        if named is not None:
            found[ours] = named
    return found


def check_answers(
    path: Path,
    name: str,
    *,
    id_field: str | None = None,
    text_field: str | None = None,
    known: Mapping[str, Instance] | None = None,
) -> CheckedAnswers:
    """Read the beginning of a file in the format `name`. Raises InputError if the file is not what the format
    expects, or naming every faulty row.

    `known` maps ids to the instances of the benchmark that was answered; None leaves it to the import whether
    it has the questions. `id_field` and `text_field` are as for `Answers`, and are left aside by formats that
    do not use them.
    """
    kind = ANSWER_FORMATS[name]
    if kind.needs_benchmark and known is None:
        return CheckedAnswers(answers=0, whole=False)
    given = {"id_field": id_field or DEFAULTS["id_field"], "text_field": text_field or DEFAULTS["text_field"]}
    options: dict[str, Any] = {option: given.get(option) for option in kind.takes}
    beginning = Beginning(BEGINNING)
    answers = sum(1 for _answer in kind.read(path, known=known, progress=beginning, **options))
    return CheckedAnswers(answers=answers, whole=beginning.read < BEGINNING)
