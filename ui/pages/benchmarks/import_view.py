"""The preview of a file of questions, as rows and words. No Gradio, no database."""

from collections.abc import Sequence
from textwrap import shorten

from markupsafe import escape

from clinicnum.errors import InputError
from clinicnum.imports.item_preview import ItemPreview
from clinicnum.imports.row_errors import shortened
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance
from clinicnum.ui.components.answer_points_and_dimensions import dimensions_text
from clinicnum.ui.components.html import MISSING, capitalized, note
from clinicnum.ui.components.language import _, error_text, ngettext
from clinicnum.ui.pages.benchmarks import view
from clinicnum.ui.pages.benchmarks.option_names import FIELD_NAMES

LONGEST = 300
ABOUT = Translatable(
    "Questions of another benchmark, with their gold answers. Nothing is stored before you press Import, and "
    "nothing at all if one row is wrong."
)
ACCEPTED = Translatable("CSV or JSONL in UTF-8, at most {most} MB. Workbooks and archives are not read.")
EXAMPLE_TITLE = Translatable("What the file must hold, with an example")
EXAMPLE = Translatable(
    "A CSV begins with a heading and has one question a row. Its columns may have any names: after the "
    "upload you say which holds what. Needed are\n\n- the question;\n- its gold answer: a number, a time, an "
    "option or a text.\n\nIf wanted, there are also the text that the question is about, the patient, an id, "
    "options, a unit, and columns that say what kind of question it is. A JSONL has one object a line: "
    "`question` with `options` and `answer`, or with `points`, what an answer must say. Files of "
    "HealthBench, MedCalc-Bench, MEDEC and ClinicNumRobBench are read as they are."
)
EXAMPLE_CSV = """question,answer,context,patient
What was the heart rate?,88,"Pulse 88/min, blood pressure 118/76 mmHg.",p1
"""
EXAMPLE_JSONL = """{"question": "Which rate is normal?", "options": ["4/min", "16/min"], "answer": "B"}
"""
OPEN_DATA = Translatable("These questions are open: they may be sent to a model on any server.")
NOT_OPEN = Translatable(
    "Without the tick they count as not known to be open: they go to no other machine unless somebody asks "
    "for it by name, and annotators and readers of reports are told to keep them on this machine. It can be "
    "changed later, where the benchmark is shown."
)
HANDED_ON = Translatable(
    "{name} was handed to the import; how it ends is said above. To import it once more, or another file, "
    "choose a file again."
)
VARIANTS = Translatable(
    "The same questions again, rewritten in a controlled way: does the model still give the right answer? "
    "Where the gold answer might no longer stand, none is made: the benchmark says of how many questions, "
    "and why."
)
SEED = Translatable("Another number draws other orders, slips and lines.")
ITEM_COLUMNS = (
    Translatable("Text"),
    Translatable("Question"),
    Translatable("Gold answer"),
    Translatable("Options"),
    Translatable("Kind of question"),
    Translatable("Patient"),
)
ITEM_WIDTHS: list[str | int] = ["300px", "260px", "150px", "170px", "190px", "120px"]
PROBLEM_COLUMNS = (Translatable("Row"), Translatable("Line"), Translatable("What is wrong"))
PROBLEM_WIDTHS: list[str | int] = ["10%", "10%", "80%"]


def example() -> str:
    """What a file of questions must hold, with one of each kind, as Markdown."""
    return f"{_(EXAMPLE)}\n\n```text\n{EXAMPLE_CSV}```\n\n```text\n{EXAMPLE_JSONL}```"


def columns_note(header: Sequence[str], needed: Sequence[str]) -> str:
    """Which columns a file has, and the fields of FIELD_NAMES that must have one, as HTML."""
    return _(
        "The file has {n} columns: {columns}. Choose below which of them hold what; needed are {needed}.",
        n=len(header),
        columns=escape(shorten(", ".join(header), LONGEST, placeholder=" …")),
        needed=", ".join(_(FIELD_NAMES[one]) for one in needed),
    )


def item_rows(found: ItemPreview) -> list[list[str]]:
    """Rows for ITEM_COLUMNS, one per item."""
    return [
        [
            shorten(one.context, LONGEST, placeholder=" …") or MISSING,
            shorten(one.question, LONGEST, placeholder=" …"),
            shorten(view.gold(one), LONGEST, placeholder=" …"),
            _options(one),
            dimensions_text(one) or MISSING,
            one.subject_id,
        ]
        for one in found.first
    ]


def _options(instance: Instance) -> str:
    options = [f"{chr(ord('A') + place)}: {text}" for place, text in enumerate(instance.options)]
    return shorten("; ".join(options), LONGEST, placeholder=" …") or MISSING


def problem_rows(found: ItemPreview) -> list[list[str | int]]:
    """Rows for PROBLEM_COLUMNS, one per wrong row."""
    return [[one.number, one.place.rpartition(":")[2], _(one.text)] for one in found.problems]


def verdict(found: ItemPreview) -> str:
    """Whether the file can be imported, as HTML."""
    if found.wrong:
        said = ngettext(
            "{n} row is wrong, so nothing can be imported. Correct it in the file and upload it again.",
            "{n} rows are wrong, so nothing can be imported. Correct them in the file and upload it again.",
            found.wrong,
        )
        return str(note(said, "bad"))
    if found.whole:
        return str(
            note(ngettext("{n} item can be imported.", "{n} items can be imported.", found.items), "good")
        )
    return str(
        note(
            _(
                "The first {n} items can be imported. The file is large: the others are checked by the job, "
                "and nothing is stored if one is wrong.",
                n=f"{found.items:,}",
            ),
            "good",
        )
    )


def handed_on(name: str) -> str:
    """The message that the file `name` was given to an import, as HTML."""
    return str(note(_(HANDED_ON, name=name)))


def refusal(error: InputError) -> str:
    """Why a file cannot be read in this format, as HTML."""
    return str(note(capitalized(error_text(error)), "bad"))


def lacking_columns(fields: Sequence[str], header: Sequence[str]) -> str:
    """The message that the columns for these needed fields must still be chosen from a file's header."""
    named = ", ".join(f'"{_(FIELD_NAMES[one])}"' for one in fields)
    said = _("Choose above which column of the file holds {fields}.", fields=named)
    if len(header) == 1:
        has = _("It has one column only, {column}; is it the right file?", column=shortened(header[0]))
    else:
        columns = shorten(", ".join(header), LONGEST, placeholder=" …")
        has = _("It has the columns {columns}.", columns=columns)
    return " ".join((said, has))
