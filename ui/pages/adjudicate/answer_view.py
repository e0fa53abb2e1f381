"""The answer or the two answers of an item, and what they are held against, for the adjudicate page."""

from typing import Any

from clinicnum.db.work.adjudication.adjudication_item import AdjudicationItem
from clinicnum.db.work.adjudication.shown_answers import AdjudicatedAnswer
from clinicnum.scoring.answer_point_recall import point_checks
from clinicnum.ui.components.answer_points_and_dimensions import points_view, read_words
from clinicnum.ui.components.html import evidence_places
from clinicnum.ui.components.language import _
from clinicnum.ui.components.scored_reason import scored_reason
from clinicnum.ui.components.value_display_names import word
from clinicnum.ui.pages.adjudicate.evidence_segments import segments


def answers_view(item: AdjudicationItem) -> dict[str, Any]:
    """The answer with the evidence marked in it, or the two of a pair, and the gold as far as annotators had
    it.

    The score is added only in a study of failures, so that a decision rests on what the judgements rest on.
    """
    first, *others = item.answers
    return {
        "text": segments(first.shown.text, item.positions),
        **_about(first),
        "second": {"text": others[0].shown.text, **_about(others[0])} if others else None,
        "gold": None,
        "gold_cells": [],
        "worked": [],
        "points": [],
        "score": None,
        **_gold(item),
    }


def _about(one: AdjudicatedAnswer) -> dict[str, Any]:
    return {
        "ended": one.shown.ended and _(one.shown.ended),
        "thinking": one.shown.thinking,
        "model": one.model,
    }


def _gold(item: AdjudicationItem) -> dict[str, Any]:
    instance, rules = item.instance, item.design.rules
    if rules.judges_failures:
        points = point_checks(instance, item.text)
        return {
            "gold": _answer(item),
            "gold_cells": evidence_places(instance.evidence, instance.records),
            "worked": [] if instance.points else list(instance.worked),
            "points": points_view(points),
            "score": {
                "status": word(item.score.status),
                "parsed": read_words(points, item.score.parsed),
                "reason": scored_reason(item.score.reason),
            },
        }
    if rules.two_steps or item.design.reference:
        return {"gold": _answer(item), "worked": [one.text for one in instance.points]}
    return {}


def _answer(item: AdjudicationItem) -> str:
    answer, unit = item.instance.answer, item.instance.unit
    if answer is None:
        return _("not documented")
    return f"{answer} {unit}" if unit else answer
