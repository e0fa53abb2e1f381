"""Texts for adjudicators on positions and on why a decision is due, in the page's language."""

from collections.abc import Iterator
from functools import cache, reduce

from clinicnum.annotations.adjudication import Position
from clinicnum.annotations.judgement import FIELDS, label_of
from clinicnum.annotations.judgement_text import given_answers, short_label
from clinicnum.annotations.taxonomy import Taxonomy, load_taxonomy
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.judgement_wording import code_name, code_text
from clinicnum.ui.components.language import ENGLISH, _, current_language

JUDGED = {
    "item judgement": (Translatable("item judgement: {values}"), "item_judgement"),
    "response judgement": (Translatable("response judgement: {values}"), "response_judgement"),
    "primary label": (Translatable("primary label: {values}"), "labels"),
}
DISPUTED = {
    "preference": Translatable("preference: not the same"),
    "sentences with different verdicts": Translatable("sentences with different verdicts: {n}"),
    "criteria met and not met": Translatable("criteria met and not met: {n}"),
}
RATING = "rating of "
NOT_APPLICABLE = Translatable("severity: a level against not applicable")
built_in_taxonomy = cache(load_taxonomy)


def due_words(reason: str, taxonomy: Taxonomy | None = None) -> str:
    """A stored reason of `due_reasons` in the page's language; English only loses underscores.

    Codes are those of `taxonomy`, or of the built-in one; an unknown code stays as it is.
    """
    if current_language() == ENGLISH:
        return underscores_to_spaces(reason)
    what, values = reason.partition(": ")[::2]
    if what in JUDGED:
        wording, field = JUDGED[what]
        shown = [_side(field, value, taxonomy or built_in_taxonomy()) for value in values.split(" against ")]
        return _(wording, values=reduce(_against, shown))
    if what in DISPUTED:
        return _(DISPUTED[what], n=values)
    if what.startswith(RATING):
        points = reduce(_against, values.split(" against "))
        return _("rating of {axis}: {values}", axis=what.removeprefix(RATING), values=points)
    low, to, high = values.partition(" to ")
    return _("severity: {low} to {high}", low=low, high=high) if to else _(NOT_APPLICABLE)


def _against(one: str, other: str) -> str:
    return _("{one} against {other}", one=one, other=other)


def _side(field: str, value: str, taxonomy: Taxonomy) -> str:
    if field != "labels":
        return _(label_of(field, value))
    known = value == "none" or any(group.code == value for group in taxonomy.classes)
    return code_name(taxonomy, value) if known else underscores_to_spaces(value)


def underscores_to_spaces(text: str) -> str:
    """The text with each underscore replaced by a space."""
    return text.replace("_", " ")


def further_answers(one: Position, taxonomy: Taxonomy) -> Iterator[tuple[str, str]]:
    """The rest of a position (a judgement that one or more annotators share), besides its verdict on the
    response: (heading, text) pairs.
    """
    for name, value in given_answers(one.judgement, defaults=True):
        if name != "labels":
            yield _heading(name), _answer(one, name, value)
            continue
        yield from ((_("Primary"), code_text(taxonomy, label.code)) for label in value if label.primary)
        further = [code_text(taxonomy, label.code) for label in value if not label.primary]
        yield from [(_("Further"), "; ".join(further))] if further else []
    if one.confidences:
        labels = [label_of("confidence", level) for level in one.confidences]
        words = [label.lower() if current_language() == ENGLISH else _(label) for label in labels]
        yield _heading("confidence"), ", ".join(words)


def _heading(name: str) -> str:
    """A field's label; English leaves out its article."""
    if name in FIELDS and current_language() != ENGLISH:
        return _(FIELDS[name].label)
    return short_label(name).capitalize()


def _answer(one: Position, name: str, value: str) -> str:
    """The text of an answer; the labels of options are in lower case in English."""
    if name in FIELDS and FIELDS[name].chosen and current_language() != ENGLISH:
        return _(label_of(name, getattr(one.judgement, name)))
    return value
