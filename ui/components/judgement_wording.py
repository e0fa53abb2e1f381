"""A judgement in one line, in the page's language."""

from collections.abc import Iterator

from clinicnum.annotations.claim_verdict import HARMS, OF_ANSWER, OF_REFERENCE, parts_of
from clinicnum.annotations.judgement import FIELDS, Judgement, label_of
from clinicnum.annotations.judgement_text import (
    code_words,
    given_answers,
    judgement_text,
    response_label,
    short_label,
)
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.ui.components.language import ENGLISH, _, current_language

_CLAIMED = {str(one.value): one.label for one in (*OF_ANSWER, *OF_REFERENCE)}
_HARMS = {str(one.value): one.label for one in HARMS}


def judgement_words(judgement: Judgement, taxonomy: Taxonomy, *, own: bool = False) -> str:
    """The judgement in one line: `judgement_text` in English, otherwise translated labels."""
    if current_language() == ENGLISH:
        return judgement_text(judgement, taxonomy, own=own)
    response = _(response_label(judgement, own=own))
    return "; ".join([response, *_others(judgement, taxonomy)])


def _others(judgement: Judgement, taxonomy: Taxonomy) -> Iterator[str]:
    for name, text in given_answers(judgement):
        if name == "labels":
            yield from (code_name(taxonomy, label.code) for label in judgement.labels if label.primary)
            further = [code_name(taxonomy, label.code) for label in judgement.labels if not label.primary]
            if further:
                yield _("also {codes}", codes=", ".join(further))
        elif name not in FIELDS:
            yield f"{short_label(name)}: {text}"
        else:
            chosen = _(label_of(name, getattr(judgement, name))) if FIELDS[name].chosen else text
            yield f"{_(FIELDS[name].label)}: {chosen}"


def code_text(taxonomy: Taxonomy, code: str) -> str:
    """A code: in English by `code_words`, else by `code_name`."""
    return code_words(taxonomy, code) if current_language() == ENGLISH else code_name(taxonomy, code)


def code_name(taxonomy: Taxonomy, code: str) -> str:
    """A code as the names of its class and sub-class, in the page's language."""
    level1, sub = code.partition(".")[::2]
    if code == "none":
        return _("no failure")
    name = _(taxonomy.find(level1).name)
    return f"{name}: {_(taxonomy.find(code).name)}" if sub else name


def code_in_sentence(taxonomy: Taxonomy, code: str) -> str:
    """As `code_name`; in English, the sub-class is in lower case, as in a judgement's line."""
    return code_words(taxonomy, code) if current_language() == ENGLISH else code_name(taxonomy, code)


def verdict_words(verdict: str) -> str:
    """The verdict on a sentence, with its harm if it has one."""
    said, harm = parts_of(verdict)
    if harm is None:
        return _(_CLAIMED[said])
    named = _(_HARMS[harm])
    shown = named.lower() if current_language() == ENGLISH else named
    return _("{verdict}, {harm}", verdict=_(_CLAIMED[said]), harm=shown)
