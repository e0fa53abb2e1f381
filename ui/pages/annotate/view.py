"""Assignments as plain dicts of unescaped text, which the script inserts as text."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from clinicnum.annotations.chart_facts import ChartFacts, Threshold
from clinicnum.annotations.custom_fields import CRITERION_KEYS, CustomField
from clinicnum.annotations.guideline import default_guideline, guideline_version_words
from clinicnum.annotations.judgement import CRITERION_VERDICTS, Judgement
from clinicnum.annotations.partial_judgement import JudgementForm, form_of
from clinicnum.annotations.practice_items import PracticeItem
from clinicnum.annotations.read_stored_judgements import read_stored
from clinicnum.annotations.study_kind import DONE_KINDS, KINDS
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.work_item import AnswerPair, RevealedGold, ShownReference, Workitem
from clinicnum.db.work.annotation.annotator_progress import OwnProgress
from clinicnum.db.work.annotation.guideline import Guideline
from clinicnum.db.work.annotation.own_message_threads import OwnThread, UnreadAnswers
from clinicnum.prompt import option_letter
from clinicnum.translatable_text import Translatable
from clinicnum.types import Record
from clinicnum.ui.components.answer_points_and_dimensions import points_view, read_words
from clinicnum.ui.components.codebook_view import codebook_view
from clinicnum.ui.components.html import record_table
from clinicnum.ui.components.judgement_form_data import (
    claim_options,
    claim_questions,
    judgement_questions,
    pair_questions,
    rating_questions,
)
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.message_thread_view import (
    AFTER_READING,
    OWN_THREADS,
    answers_label,
    message_views,
)
from clinicnum.ui.components.prompt_view import asked_view
from clinicnum.ui.components.render_markdown import render_markdown
from clinicnum.ui.components.scored_reason import scored_reason
from clinicnum.ui.components.value_display_names import TICK_NAMES, word
from clinicnum.ui.pages.annotate.studies_view import deadline_text, is_held_back

ALL_DONE = Translatable("All done: nothing is waiting for you. Thank you.")
HELD_BACK = Translatable("Nothing is waiting for you now.")
PRACTICE_OVER = Translatable("That was the practice; nothing of it was saved. From here on it counts.")
NO_SUCH_ITEM = Translatable(
    "There is no such item of yours: the address may be incomplete, or meant for somebody else."
)
NOTHING_YET = Translatable(
    "Nothing is waiting for you. Once a study is opened with you in it, its items appear here."
)
PAUSED = Translatable("Paused for now: {studies}. What you saved is kept; come back later.")
CLOSED = Translatable("Closed: {studies}. Your labels are in. Thank you for your work.")
NO_ANSWERS = Translatable("There are no answers yet.")
LIMITS = {
    "above": Translatable("above {limit}"),
    "below": Translatable("below {limit}"),
    "at_least": Translatable("at least {limit}"),
    "at_most": Translatable("at most {limit}"),
}


def draft_form(draft: dict[str, Any]) -> dict[str, Any]:
    """A stored draft as a complete form, with defaults for fields that it lacks."""
    return read_stored(JudgementForm, draft).model_dump(mode="json")


def assignment_view(item: Workitem) -> dict[str, Any]:
    """One assignment for the annotate page; all text offsets count code points."""
    view = item.instance
    progress = item.progress
    return {
        "assignment_id": item.assignment_id,
        "kind": item.kind,
        "revision": item.revision,
        "status": item.status,
        "answered": item.status == "submitted",
        "study": item.study_name,
        "study_id": item.study_id,
        "taxonomy": _codes_name(item.taxonomy_id, item.taxonomy_version, item.study_id, item.fields),
        "guideline": item.guideline_version,
        "deadline": deadline_text(item.deadline),
        "data_use": item.data_use,
        "training": item.training,
        "flag": item.flag,
        "skip_reason": item.skip_reason,
        "progress": {
            "done": progress.done,
            "total": progress.total,
            "median_ms": progress.median_ms,
            "expected_ms": progress.expected_ms,
        },
        "question": view.question,
        "context": view.context,
        "representation": word(view.representation),
        "options": [f"{option_letter(place)}. {text}" for place, text in enumerate(view.options)],
        "table": record_table(view.records),
        "chart": _chart(item.chart),
        "givens": [f"{g.name}: {g.value}{' ' + g.unit if g.unit else ''}" for g in view.givens],
        "asked": asked_view(item.asked),
        "text": item.text,
        "ended": item.ended and _(item.ended),
        "thinking": item.thinking,
        "criteria": [
            {"key": one.key, "text": one.text, "proposed": item.proposed.get(one.key)}
            for one in item.criteria
        ],
        "draft": _draft(item),
        "suggestions": [
            {
                "code": one.code,
                "sentence": one.sentence,
                "spans": [list(span) for span in one.spans],
                "cells": [cell.model_dump(mode="json") for cell in one.cells],
            }
            for one in item.suggestions
        ],
        "pair": _pair(item.pair),
        "reference": _reference(item.reference),
        "claims": None if item.claims is None else item.claims.model_dump(mode="json"),
        "feedback": _form(item.feedback),
        "practice": None,
        "reveal": None if item.reveal is None else _reveal(item.reveal, view.unit, view.records),
    }


def _pair(pair: AnswerPair | None) -> dict[str, Any] | None:
    """The two answers, the left one first, and whether the left one is the item's first or second answer."""
    if pair is None:
        return None
    answers = [
        {"text": one.text, "ended": one.ended and _(one.ended), "thinking": one.thinking}
        for one in pair.answers
    ]
    return {"left": pair.left, "answers": answers}


def _reference(reference: ShownReference | None) -> dict[str, Any] | None:
    if reference is None:
        return None
    answer = _("not documented") if reference.answer is None else reference.answer
    return {"answer": answer, "points": list(reference.points)}


def practice_view(item: Workitem, practice: PracticeItem, place: int) -> dict[str, Any]:
    """A practice item as an assignment, with its place and, once judged, why its key is right."""
    why = _(practice.why) if item.feedback else None
    return {**assignment_view(item), "study": _(item.study_name), "practice": place, "why": why}


def _chart(facts: ChartFacts) -> dict[str, Any]:
    return {
        "thresholds": [
            {"vital": one.vital, "formula": one.formula, "value": float(one.value), "words": _limit(one)}
            for one in facts.thresholds
        ],
        "formulas": [one.model_dump(mode="json") for one in facts.formulas],
    }


def _limit(one: Threshold) -> str:
    return _(LIMITS[one.comparator], limit=f"{one.value} {one.unit or ''}".rstrip())


def _draft(item: Workitem) -> dict[str, Any] | None:
    """What the form is filled with: the draft, the last judgement, or the ticks that the scorer proposes."""
    if item.draft:
        return draft_form(item.draft)
    if item.judgement is None and item.proposed:
        return {"criteria": dict(item.proposed)}
    return _form(item.judgement)


def _form(judgement: Judgement | None) -> dict[str, Any] | None:
    return None if judgement is None else form_of(judgement)


def _reveal(reveal: RevealedGold, unit: str | None, records: Sequence[Record]) -> dict[str, Any]:
    gold = _("not documented") if reveal.answer is None else f"{reveal.answer} {unit or ''}".rstrip()
    return {
        "answer": gold,
        "worked": [] if reveal.points else list(reveal.worked),
        "points": points_view(reveal.points),
        "evidence": [cell.model_dump(mode="json") for cell in reveal.evidence if cell.record < len(records)],
        "right": reveal.score_status == "correct" and not reveal.form_missed,
        "scored": _("right value, but not in the form asked")
        if reveal.form_missed
        else word(reveal.score_status),
        "parsed": read_words(reveal.points, reveal.parsed),
        "reason": scored_reason(reveal.reason),
        "difference": None if reveal.difference is None else _(reveal.difference),
        "contradictions": [
            {**one.model_dump(mode="json"), "remark": _(one.remark)} for one in reveal.contradictions
        ],
    }


def guideline_view(guideline: Guideline, taxonomy: Taxonomy) -> dict[str, Any]:
    """A study's guideline as safe HTML, with its taxonomy and judgement questions."""
    return {
        "study_id": guideline.study_id,
        "study": guideline.study_name,
        "version": guideline.version,
        "title": _("Guideline, {version}", version=guideline_version_words(guideline.version)),
        "html": render_markdown(_guideline_text(guideline, taxonomy)),
        **codes_view(taxonomy, guideline.study_id, guideline.fields),
    }


def _guideline_text(guideline: Guideline, taxonomy: Taxonomy) -> str:
    """The guideline's text; a beginning that is still the default one is given in the current language."""
    default = default_guideline(taxonomy)
    if guideline.text.startswith(default):
        return default_guideline(taxonomy, _) + guideline.text.removeprefix(default)
    return guideline.text


def codes_view(taxonomy: Taxonomy, study_id: str = "", fields: Sequence[CustomField] = ()) -> dict[str, Any]:
    """A taxonomy's id and version, with the questions of the judgement form and the codebook.

    `fields` are what the study adds to the judgement; the script then asks for that study's questions.
    """
    return {
        "taxonomy": _codes_name(taxonomy.id, taxonomy.version, study_id, fields),
        **judgement_questions(taxonomy, fields),
        "other_kinds": {
            "pairwise": pair_questions(),
            "ratings": rating_questions(fields),
            "claims": claim_questions(),
        },
        "claims": claim_options(),
        "done": {kind: {"response_judgement": KINDS[kind].responses[0]} for kind in DONE_KINDS},
        "verdicts": [
            {"value": one, "label": _(TICK_NAMES[one]), "key": key}
            for one, key in zip(CRITERION_VERDICTS, CRITERION_KEYS, strict=False)
        ],
        "back_key": CRITERION_KEYS[-1],
        **codebook_view(taxonomy, fields),
    }


def _codes_name(taxonomy_id: str, version: str, study_id: str, fields: Sequence[CustomField]) -> str:
    """The name by which the script caches questions and codes; a study with fields of its own has its own
    name.
    """
    return f"{taxonomy_id} {version}" + (f" {study_id}" if fields else "")


def answers_view(found: UnreadAnswers) -> dict[str, Any]:
    """How many answers of adjudicators the annotator has not read, as a number and in words, and the address
    at which they can be read.
    """
    query = urlencode({"study": found.study_id, "show": "answered"}) if found.study_id else ""
    return {"n": found.n, "label": answers_label(found.n), "address": f"/my-work/?{query}"}


def threads_view(threads: Sequence[OwnThread], *, reader: str) -> dict[str, Any]:
    """The annotator's threads, each with its item, and the texts around them."""
    return {
        "threads": [
            {
                "assignment_id": one.thread.assignment_id,
                "address": f"/my-work/?{urlencode({'item': one.thread.assignment_id})}",
                "study": one.study,
                "question": one.question,
                "open": one.open,
                "messages": message_views(one.thread, reader=reader),
            }
            for one in threads
        ],
        "texts": {"rule": _(OWN_THREADS), "after": _(AFTER_READING), "none": _(NO_ANSWERS)},
    }


def nothing_left_text(progress: OwnProgress) -> str:
    """The message for an annotator with no items left."""
    said = []
    if progress.paused:
        said.append(_(PAUSED, studies=", ".join(progress.paused)))
    if progress.studies:
        held_back = any(is_held_back(one) for one in progress.studies)
        said.insert(0, _(HELD_BACK) if held_back else _(ALL_DONE))
        if progress.skipped:
            said.append(
                ngettext(
                    "You put {n} item aside: “The first item put aside” leads there.",
                    "You put {n} items aside: “The first item put aside” leads to the first of them.",
                    progress.skipped,
                )
            )
    elif progress.closed and not progress.paused:
        said.append(_(CLOSED, studies=", ".join(progress.closed)))
    return " ".join(said) or _(NOTHING_YET)
