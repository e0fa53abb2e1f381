"""The texts of the form for uploaded answers. No Gradio, no database."""

from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.html import capitalized, note
from clinicnum.ui.components.language import _

ABOUT = Translatable(
    "Answers that a model gave elsewhere to a benchmark that is stored here. Every row is checked; if one is "
    "wrong, you are told which, and nothing is stored. The answers are then scored like any other run."
)
ACCEPTED = Translatable("CSV, JSONL, or a log of lm-evaluation-harness or Inspect; at most {most} MB.")
ENDINGS = (".csv", ".tsv", ".txt", ".jsonl", ".json", ".eval")
FORMAT_NAMES = {
    "csv": Translatable("CSV, one answer a row"),
    "jsonl": Translatable("JSONL, one answer a line"),
    "lm-eval": Translatable("samples of lm-evaluation-harness"),
    "inspect": Translatable("log of Inspect"),
    "clinicnumrobbench": Translatable("CSV of ClinicNumRobBench"),
    "medcalc": Translatable("answers of MedCalc-Bench"),
}
WITH_FIELDS = ("csv", "jsonl")
"""Formats whose fields can have any names."""
FORMAT = Translatable("Found by the file's first lines; correct it if it is wrong.")
MODEL = Translatable("Such as gpt-4o-mini.")
ID_FIELD = Translatable(
    "The field with the question's id, or with the whole question. Empty: instance_id, or else the question "
    "is found by its own text in prompt, or in context and question."
)
TEXT_FIELD = Translatable("Empty: text.")


def verdict(name: str, problem: str) -> str:
    """The message that the file `name` has arrived, or what is wrong with it (`problem`), as HTML."""
    if problem:
        return str(note(capitalized(problem), "bad"))
    return str(note(_("{name} is uploaded.", name=name), "good"))
