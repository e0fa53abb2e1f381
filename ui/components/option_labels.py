"""The fields of the form that imports answers, by the options that messages name: the readers of files serve
`clinicnum import generations`, too. No Gradio.
"""

from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import _

ANSWER_FIELDS = {
    "--id-field": Translatable("Field with the question, or its id"),
    "--text-field": Translatable("Field with the answer"),
}


def with_field_names(text: str) -> str:
    """A message about a file of answers, with the names of the form's fields in place of options."""
    for option, label in ANSWER_FIELDS.items():
        text = text.replace(option, f'"{_(label)}"')
    return text
