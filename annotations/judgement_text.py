"""A judgement as text, for pages, the report and lists."""

from collections.abc import Iterator
from textwrap import shorten
from typing import Any

from clinicnum.annotations.claim_verdict import claims_text
from clinicnum.annotations.custom_field_answers import answer_label
from clinicnum.annotations.judgement import (
    FIELDS,
    Judgement,
    default_of,
    fields_in_page_order,
    label_of,
)
from clinicnum.annotations.preference_question import PREFERENCE, seen_from
from clinicnum.annotations.taxonomy import Taxonomy

LONGEST_ANSWER = 80


def code_words(taxonomy: Taxonomy, code: str) -> str:
    """A code as `Class: sub-class`; `none` as "no failure"."""
    level1, _, sub = code.partition(".")
    if code == "none":
        return "no failure"
    name = taxonomy.find(level1).name
    return f"{name}: {taxonomy.find(code).name.lower()}" if sub else name


def short_label(name: str) -> str:
    """A field's label for use inside a sentence; for a custom field, its name."""
    return FIELDS[name].label.removeprefix("The ").lower() if name in FIELDS else name.replace("_", " ")


def response_label(judgement: Judgement, *, own: bool = False) -> str:
    """The judgement of the response in words; for its annotator (`own`) a preference names the sides they
    saw.
    """
    said = judgement.response_judgement
    if own and judgement.kind == "pairwise":
        said_here = seen_from(judgement.left, said)
        return next(one.label for one in PREFERENCE.options if one.value == said_here)
    return label_of("response_judgement", said)


def judgement_text(judgement: Judgement, taxonomy: Taxonomy, *, own: bool = False) -> str:
    """The judgement in one line, without its rationale; `own` as for `response_label`."""
    response = response_label(judgement, own=own)
    return "; ".join([response, *_others(judgement, taxonomy)])


def _others(judgement: Judgement, taxonomy: Taxonomy) -> Iterator[str]:
    for name, value in given_answers(judgement):
        if name != "labels":
            yield f"{short_label(name)}: {value}"
            continue
        further = [code_words(taxonomy, label.code) for label in judgement.labels if not label.primary]
        yield from (code_words(taxonomy, label.code) for label in judgement.labels if label.primary)
        yield from ([f"also {', '.join(further)}"] if further else [])


def given_answers(judgement: Judgement, *, defaults: bool = False) -> Iterator[tuple[str, Any]]:
    """Yield (field, text) for every field given besides the response judgement, in the order of pages.

    The field `labels` has the labels themselves. Private text is left out; with `defaults`, choices that are
    still at their default or unremarkable are included. Answers to a study's own fields come last, shortened.
    """
    for name, about in fields_in_page_order():
        value = getattr(judgement, name)
        if name == "response_judgement" or value in (None, "", ()) or (about.private and not about.options):
            continue
        if defaults or value not in (default_of(name), about.unremarkable):
            yield name, label_of(name, value).lower() if about.chosen else value
    if judgement.claims:
        yield "claims", claims_text(judgement.claims)
    for name, value in sorted(judgement.custom.items()):
        yield name, shorten(answer_label(value).replace("|", ", "), LONGEST_ANSWER, placeholder=" …")
