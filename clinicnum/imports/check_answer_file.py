"""Look at the beginning of a file of answers before it is imported, without the benchmark they belong to."""

from pathlib import Path

from clinicnum.imports.import_generations import ANSWER_FORMATS, DEFAULTS
from clinicnum.imports.item_preview import BEGINNING
from clinicnum.imports.read_rows import Beginning


def check_answers(
    path: Path, name: str, *, id_field: str | None = None, text_field: str | None = None
) -> None:
    """Raise InputError if the file is not what the format `name` expects, or naming every faulty row at its
    beginning; whether the benchmark has its questions is left to the import.

    `id_field` and `text_field` are as for `Answers`, and are left aside by formats that do not use them.
    """
    kind = ANSWER_FORMATS[name]
    if kind.needs_benchmark:
        return
    given = {"id_field": id_field or DEFAULTS["id_field"], "text_field": text_field or DEFAULTS["text_field"]}
    options = {option: given.get(option) for option in kind.takes}
    for _answer in kind.read(path, known=None, progress=Beginning(BEGINNING), **options):
        pass
