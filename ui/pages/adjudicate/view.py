"""Adjudication items as plain dicts of unescaped text, which the script inserts as text. No Gradio."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from clinicnum.annotations.adjudication import Position
from clinicnum.annotations.consequences_of_upholding import SCOPES, claim_words
from clinicnum.annotations.criteria.criterion import criterion_of_key
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.judgement_text import response_label
from clinicnum.annotations.partial_judgement import form_of
from clinicnum.annotations.preference_question import Side
from clinicnum.annotations.study_deadline import deadline_words, today
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.db.work.adjudication.accuracy_after_exclusion import AccuracyEffect
from clinicnum.db.work.adjudication.adjudication_item import AdjudicationItem
from clinicnum.db.work.adjudication.adjudication_queue import WaitingItem
from clinicnum.db.work.adjudication.contest_resolution import UpholdPreview
from clinicnum.prompt import option_letter
from clinicnum.stats.interval_estimate import Figure
from clinicnum.stats.rounded_figures import rounded
from clinicnum.translatable_text import Translatable
from clinicnum.types import Cell, Record
from clinicnum.ui.components.codebook_view import codebook_view
from clinicnum.ui.components.html import MISSING, evidence_places, record_table
from clinicnum.ui.components.judgement_form_data import judgement_questions
from clinicnum.ui.components.judgement_wording import code_text, judgement_words
from clinicnum.ui.components.language import _
from clinicnum.ui.components.message_thread_view import (
    ABOUT_ANSWERS,
    ABOUT_RULINGS,
    ITEM_THREADS,
    message_views,
)
from clinicnum.ui.components.prompt_view import asked_view
from clinicnum.ui.components.value_display_names import TICK_NAMES, word
from clinicnum.ui.pages.adjudicate.answer_view import answers_view
from clinicnum.ui.pages.adjudicate.disputed_view import disputed_view
from clinicnum.ui.pages.adjudicate.evidence_segments import segments
from clinicnum.ui.pages.adjudicate.position_texts import due_words, further_answers

MOST_LISTED = 50
ALL_STUDIES = Translatable("All studies")


def queue_view(waiting: Sequence[WaitingItem]) -> dict[str, Any]:
    """Counts of waiting items by reason, and the first MOST_LISTED items with their reasons."""
    return {
        **_counts(waiting),
        "more": max(0, len(waiting) - MOST_LISTED),
        "studies": _studies_view(waiting),
        "deadline": _deadline_text(waiting[0]) if len({one.study_id for one in waiting}) == 1 else "",
        "items": [
            {
                "study_id": one.study_id,
                "study": one.study,
                "item": one.item,
                "why": "; ".join(_why(one)),
            }
            for one in waiting[:MOST_LISTED]
        ],
    }


def _studies_view(waiting: Sequence[WaitingItem]) -> list[dict[str, Any]]:
    """How much waits in each study, the oldest first, headed by all of them; empty for a single study."""
    in_order = sorted(waiting, key=lambda one: (one.opened_at, one.study_id))
    by_study = {key: list(group) for key, group in groupby(in_order, key=lambda one: one.study_id)}
    if len(by_study) < 2:
        return []
    chosen = any(one.chosen for one in waiting)
    all_of_them = {
        **{"study_id": None, "name": _(ALL_STUDIES), "chosen": not chosen},
        **{"deadline": "", "counts": _counts(waiting)},
    }
    return [
        all_of_them,
        *(
            {
                **{"study_id": key, "name": some[0].study, "chosen": some[0].chosen},
                **{"deadline": _deadline_text(some[0]), "counts": _counts(some)},
            }
            for key, some in by_study.items()
        ),
    ]


def _deadline_text(one: WaitingItem) -> str:
    return "" if one.deadline is None else _(deadline_words(one.deadline, now=today()))


def _counts(waiting: Sequence[WaitingItem]) -> dict[str, int]:
    return {
        "due": sum(bool(one.due) for one in waiting),
        "contested": sum(one.contested for one in waiting),
        "flagged": sum(one.flagged for one in waiting),
        "replied": sum(one.replied for one in waiting),
    }


def _why(one: WaitingItem) -> list[str]:
    again = [_("again, a judgement changed")] if one.again else []
    holding = ((_("contested"), one.contested), (_("flagged"), one.flagged), (_("a reply"), one.replied))
    kinds = [text for text, holds in holding if holds]
    return [*again, *(due_words(reason) for reason in one.due), *kinds]


def adjudication_item_view(item: AdjudicationItem, taxonomy: Taxonomy, *, reader: str) -> dict[str, Any]:
    """One item: question, records, model answer, gold, all positions with their evidence, and its threads as
    the account `reader` sees them.
    """
    instance = item.instance
    return {
        "study_id": item.study_id,
        "study": item.study,
        "item": item.item,
        "seen": item.seen,
        "kind": item.design.kind,
        "data_use": item.data_use,
        "due": [due_words(one, taxonomy) for one in item.due],
        "decided": _decided(item, taxonomy),
        "question": instance.question,
        "representation": word(instance.representation),
        "context": instance.context,
        "context_pieces": segments(instance.context, item.positions, "context_spans"),
        "options": [f"{option_letter(place)}. {text}" for place, text in enumerate(instance.options)],
        "givens": [f"{g.name}: {g.value}{' ' + g.unit if g.unit else ''}" for g in instance.givens],
        "table": record_table(instance.records),
        "cells": _cells(item.positions, instance.records),
        "asked": asked_view(item.asked),
        **answers_view(item),
        "positions": [_position(one, taxonomy, item.left) for one in item.positions],
        "disputed": disputed_view(item),
        "claims": [
            {
                "key": one.key,
                "title": _(claim_words(one.kind, one.proposed_gold)),
                "rationales": list(one.rationales),
            }
            for one in item.claims
        ],
        "may_decide_claims": item.may_decide_claims,
        "flags": [{"key": one.key, "note": one.note} for one in item.flags],
        "codes": _codes(taxonomy, item.design.fields),
        "threads": [
            {
                "key": one.key,
                "waits": one.thread.waits,
                "messages": message_views(one.thread, reader=reader, pseudonym=one.pseudonym),
            }
            for one in item.threads
        ],
        "texts": {"threads": _(ITEM_THREADS), "answer": _(ABOUT_ANSWERS), "ruling": _(ABOUT_RULINGS)},
    }


def _codes(taxonomy: Taxonomy, fields: Sequence[CustomField]) -> dict[str, Any]:
    """The questions of a decision, and the codebook; digits choose positions here, so the study's own fields
    have no keys.
    """
    bare = [
        one.model_copy(
            update={
                "key": None,
                "options": tuple(option.model_copy(update={"key": None}) for option in one.options),
            }
        )
        for one in fields
    ]
    return {**judgement_questions(taxonomy, bare), **codebook_view(taxonomy, fields)}


def _decided(item: AdjudicationItem, taxonomy: Taxonomy) -> dict[str, Any] | None:
    one = item.decided
    if one is None:
        return None
    return {
        "stands": one.stands,
        "said": _decided_words(one.judgement.model_copy(update={"left": item.left}), taxonomy),
        "comment": one.comment,
        "at": f"{one.at:%Y-%m-%d %H:%M} UTC",
        "form": form_of(one.judgement),
    }


def _decided_words(judgement: Judgement, taxonomy: Taxonomy) -> str:
    ticks = (
        f"{criterion_of_key(key)[0]}: {_(TICK_NAMES[verdict])}" for key, verdict in judgement.criteria.items()
    )
    return "; ".join((judgement_words(judgement, taxonomy, own=True), *ticks))


def _position(one: Position, taxonomy: Taxonomy, left: Side | None) -> dict[str, Any]:
    judgement = one.judgement.model_copy(update={"left": left})
    return {
        "response": _(response_label(judgement, own=True)),
        "answers": one.answers,
        "primary": next((code_text(taxonomy, x.code) for x in judgement.labels if x.primary), None),
        "facts": [list(fact) for fact in further_answers(one, taxonomy)],
        "rationales": list(one.rationales),
        "evidence": any(x.spans or x.context_spans or x.cells for x in judgement.labels),
        "form": form_of(judgement),
    }


def _cells(positions: Sequence[Position], records: Sequence[Record]) -> dict[str, list[int]]:
    """`row:column` in the record table -> indices of the positions that cite the cell."""
    found: dict[str, list[int]] = {}
    for place, one in enumerate(positions):
        cells: list[Cell] = [cell for label in one.judgement.labels for cell in label.cells]
        for row, column in sorted({(r, c) for r, c in evidence_places(cells, records)}):
            found.setdefault(f"{row}:{column}", []).append(place)
    return found


def uphold_preview_view(found: UpholdPreview) -> dict[str, Any]:
    """The preview of upholding a contest: instances removed, faults found, and effects on accuracy."""
    outcome = found.consequences
    return {
        "mark": found.mark,
        "faults": [f"{one.rule}: {one.message}" for one in outcome.faults],
        "scope": outcome.scope,
        "scopes": [{"value": value, "name": _(name)} for value, name in SCOPES.items()],
        "tested": outcome.tested,
        "unchecked": outcome.unchecked,
        "already": outcome.already,
        "n": len(outcome.taken),
        "taken": [
            {
                "id": one.instance.instance_id,
                "what": one.instance.variant or word(one.instance.representation),
                "why": f"{one.rule}: {one.reason}" if outcome.faults else "",
            }
            for one in outcome.taken[:MOST_LISTED]
        ],
        "template": _(
            "{template}, version {version}", template=found.template, version=found.template_version
        ),
        "effects": [effect_row(one) for one in found.effects],
    }


def effect_row(one: AccuracyEffect) -> list[str]:
    """Model name, and its accuracy with interval and n: now, and if the contest is upheld."""
    return [_(one.model), _figure(one.now), _figure(one.after)]


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return _(figure.undefined) if figure.undefined else MISSING
    low, high = figure.interval.low, figure.interval.high
    value = rounded(100 * figure.value, 1)
    if low is None or high is None:
        return _("{value} %, n {n}", value=value, n=figure.n)
    interval = {"low": rounded(100 * low, 1), "high": rounded(100 * high, 1)}
    return _("{value} % ({low} to {high}), n {n}", value=value, n=figure.n, **interval)
