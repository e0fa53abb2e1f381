"""The texts of the form for uploaded answers. No Gradio, no database."""

from collections.abc import Sequence

from clinicnum.imports.check_answer_file import CheckedAnswers
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.html import capitalized, note
from clinicnum.ui.components.language import _, ngettext

ABOUT = Translatable(
    "Answers that a model gave elsewhere to a benchmark that is stored here. Every row is checked; if one is "
    "wrong, you are told which, and nothing is stored. The answers are then scored like any other run."
)
ACCEPTED = Translatable("CSV, JSONL, or a log of lm-evaluation-harness or Inspect; at most {most} MB.")
EXAMPLE_TITLE = Translatable("What the file must hold, with an example")
EXAMPLE = Translatable(
    "A CSV begins with a heading and has one answer a row; a JSONL has one object a line. Needed are\n\n"
    "- `text`: what the model answered, as it wrote it;\n"
    "- `instance_id`: the question's id, as in the benchmark's file. Without it, the question is found by "
    "its own text in `prompt`, or in `context` and `question`.\n\n"
    "Columns of other names are found by themselves, or can be chosen after the upload. An answer may also "
    "say why it ended (`finish_reason`), what the model thought before (`thinking`), or which `error` came "
    "in its place."
)
EXAMPLE_CSV = """instance_id,text
4e1f0a7c52d9b836,"The highest heart rate was 112 bpm. Answer: 112"
9b30c2d81f7e6a45,Answer: yes
"""
EXAMPLE_JSONL = """{"instance_id": "4e1f0a7c52d9b836", "text": "Answer: 112"}
{"instance_id": "9b30c2d81f7e6a45", "text": "Answer: yes"}
"""
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
    "The field with the question's id, or with the whole question. Another name can be typed, such as doc.id."
)
NO_FIELD = Translatable("(found by prompt, or by context and question)")
OWN_PROMPTS = Translatable("The model was sent clinicnum's own prompts, word for word")
OWN_PROMPTS_INFO = Translatable(
    "Then annotators see what the model was asked, and the form of its answers is judged, too. Leave it out "
    "if another program worded the prompts."
)
TEXT_FIELD = Translatable("The field with what the model wrote.")


def example() -> str:
    """What a file of answers must hold, with one of each kind, as Markdown."""
    return f"{_(EXAMPLE)}\n\n```text\n{EXAMPLE_CSV}```\n\n```text\n{EXAMPLE_JSONL}```"


def id_choices(fields: Sequence[str]) -> list[tuple[str, str]]:
    """(label, value) of each field of a file that may hold the question's id; "" stands for none."""
    return [(_(NO_FIELD), ""), *((one, one) for one in fields)]


def wrong(problem: str) -> str:
    """What is wrong with a file, as HTML."""
    return str(note(capitalized(problem), "bad"))


def uploaded_note(name: str, found: CheckedAnswers, questions: int | None) -> str:
    """The message that the file `name` has arrived, and that its answers fit the benchmark's `questions`, as
    HTML; None for questions that were not looked at.
    """
    said = [_("{name} is uploaded.", name=name)]
    if questions is not None and found.whole:
        said.append(
            ngettext(
                "Its {n:,} answer fits a question of the benchmark, which has {total}.",
                "All {n:,} answers fit questions of the benchmark, which has {total}.",
                found.answers,
                total=f"{questions:,}",
            )
        )
    return str(note(" ".join(said), "good"))
