"""What changed between two revisions of a judgement, in words of the page's language."""

from textwrap import shorten
from typing import Any

from clinicnum.annotations.custom_field_answers import answer_label
from clinicnum.annotations.judgement import FIELDS, Judgement, label_of
from clinicnum.annotations.judgement_text import LONGEST_ANSWER, short_label
from clinicnum.annotations.revision_changes import (
    CUSTOM,
    EVIDENCE,
    FURTHER,
    PRIMARY,
    FieldChange,
    revision_changes,
)
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.judgement_wording import code_name
from clinicnum.ui.components.language import _

_PARTS = {PRIMARY: Translatable("Primary class"), FURTHER: Translatable("Further labels")}


def change_words(before: Judgement, after: Judgement, taxonomy: Taxonomy) -> str:
    """The changes in words, such as `Severity: 1 to 2`, joined by `; `."""
    changes = revision_changes(before, after)
    return "; ".join(_one(change, taxonomy) for change in changes) or _("nothing changed")


def _one(change: FieldChange, taxonomy: Taxonomy) -> str:
    if change.field == EVIDENCE:
        return _("evidence marked anew")
    before, after = (_value(change.field, value, taxonomy) for value in change[1:])
    return _("{field}: {before} to {after}", field=_field(change.field), before=before, after=after)


def _field(name: str) -> str:
    if name in _PARTS:
        return _(_PARTS[name])
    return _(FIELDS[name].label) if name in FIELDS else short_label(name.removeprefix(CUSTOM))


def _value(field: str, value: Any, taxonomy: Taxonomy) -> str:
    if value is None:
        return _("none")
    if field == PRIMARY:
        return code_name(taxonomy, value)
    if field == FURTHER:
        return ", ".join(code_name(taxonomy, code) for code in value)
    if field in FIELDS and FIELDS[field].chosen:
        return _(label_of(field, value))
    text = answer_label(value).replace("|", ", ") if field.startswith(CUSTOM) else str(value)
    return shorten(text, LONGEST_ANSWER, placeholder=" …")
