"""The disputed questions of an item beyond labels: what the positions say, and what to choose from."""

from collections.abc import Iterator, Sequence
from typing import Any

from clinicnum.annotations.adjudication import Position
from clinicnum.annotations.claims.claim import claim_of_key
from clinicnum.annotations.custom_fields import CRITERION_KEYS
from clinicnum.annotations.disputes import Dispute
from clinicnum.annotations.preference_question import PREFERENCE, seen_from
from clinicnum.annotations.ratings.rating_axes import ends_of, keys_of
from clinicnum.annotations.study_kind import StudyKind
from clinicnum.db.work.adjudication.adjudication_item import AdjudicationItem
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.judgement_wording import verdict_words
from clinicnum.ui.components.language import _
from clinicnum.ui.components.value_display_names import TICK_NAMES

_TITLES: dict[StudyKind, Translatable] = {
    "failures": Translatable("Does the answer meet these criteria?"),
    "pairwise": Translatable("Which answer is better?"),
    "ratings": Translatable("Which points does the answer get?"),
    "claims": Translatable("What holds of these sentences?"),
}


def disputed_view(item: AdjudicationItem) -> dict[str, Any] | None:
    """The questions to decide one by one, each with what the positions say; None if there are none."""
    if not item.disputes:
        return None
    kind = item.design.kind
    return {
        "title": _(_TITLES[kind]),
        "failures": kind == "failures",
        "back_key": CRITERION_KEYS[-1] if kind == "failures" else "b",
        "questions": [_question(one, item) for one in item.disputes],
    }


def _question(dispute: Dispute, item: AdjudicationItem) -> dict[str, Any]:
    options = list(_options(dispute, item))
    words = {one["value"]: one["label"] for one in options}
    return {
        **{"key": dispute.key, "label": _label(dispute, item), "hint": _hint(dispute, item)},
        "options": options,
        "said": [
            {"t": words[value], "p": _places(item.positions, dispute.key, value)} for value in dispute.given
        ],
    }


def _places(positions: Sequence[Position], key: str, value: str) -> list[int]:
    return [place for place, one in enumerate(positions) if one.answers.get(key) == value]


def _options(dispute: Dispute, item: AdjudicationItem) -> Iterator[dict[str, Any]]:
    """The answers to choose from, with the key of each; of a pair, those on the left answer come first."""
    match dispute.about:
        case "preference":
            values = [seen_from(item.left, str(one.value)) for one in PREFERENCE.options]
            words = [_(one.label) for one in PREFERENCE.options]
            keys: Sequence[str] = "1234"
        case "rating":
            axis = next(one for one in item.design.fields if one.name == dispute.key)
            values = [one.value for one in axis.options]
            words = [_(one.means) if one.means and len(one.value) > 1 else one.value for one in axis.options]
            keys = keys_of(axis)
        case "verdict":
            values, words = list(dispute.options), [verdict_words(one) for one in dispute.options]
            keys = "1234567"
        case "tick":
            values, words = list(dispute.options), [_(TICK_NAMES[one]) for one in dispute.options]
            keys = CRITERION_KEYS
    for value, label, key in zip(values, words, keys, strict=False):
        yield {"value": value, "label": label, "key": key}


def _label(dispute: Dispute, item: AdjudicationItem) -> str:
    match dispute.about:
        case "preference":
            return _(_TITLES[item.design.kind])
        case "rating":
            return _(next(one.label for one in item.design.fields if one.name == dispute.key))
        case "verdict":
            claim = claim_of_key(dispute.key)
            text = item.text if claim.part == "answer" else item.instance.answer or ""
            return text[claim.start : claim.end]
        case "tick":
            return next(one.text for one in item.criteria if one.key == dispute.key)


def _hint(dispute: Dispute, item: AdjudicationItem) -> str:
    """What helps to answer: the ends of an axis, or that a sentence is the reference's."""
    if dispute.about == "rating":
        axis = next(one for one in item.design.fields if one.name == dispute.key)
        return _("{low} to {high}", **dict(zip(("low", "high"), ends_of(axis), strict=True)))
    if dispute.about == "verdict" and claim_of_key(dispute.key).part == "reference":
        return _("A sentence of the reference")
    return ""
