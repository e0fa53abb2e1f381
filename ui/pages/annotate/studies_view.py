"""An annotator's studies in words: what is left, deadline, training result. No Gradio."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from clinicnum.annotations.study_deadline import deadline_words, today
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.work.annotation.own_studies import LeftStudy, OwnStudy
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.codebook_view import codebook_view
from clinicnum.ui.components.language import _

ALL_IN_TURN = Translatable("All in turn, the oldest first")
NONE_THERE = Translatable(
    "Nothing waits for you in the study “{wanted}” now. This item is of the study “{study}”."
)
FINISHED = Translatable("You have finished the study “{study}”. Thank you. Next: “{following}”.")
NONE_LEFT = Translatable("Nothing more waits for you in the study “{study}” just now. Next: “{following}”.")
MISSED = Translatable(
    "The training of {study} is over: {right} of your {items} training judgements were as the reference "
    "labels on the response and its class, and {needed} are needed before you get items that count. The lead "
    "of the study sees this and decides whether you repeat the training or go on all the same."
)
READ = Translatable("Until then, read in the codebook what was missed:")


def passed_on_text(left: LeftStudy, following: Workitem) -> str:
    """What is said between the last item of a study and the first of the following one."""
    return _(FINISHED if left.finished else NONE_LEFT, study=left.name, following=following.study_name)


def studies_view(studies: Sequence[OwnStudy]) -> list[dict[str, Any]]:
    """The annotator's open studies as choices; if several, the first choice is all in turn."""
    if len(studies) < 2:
        return [_study_view(one, chosen=True) for one in studies]
    unchosen = not any(one.chosen for one in studies)
    first: dict[str, Any] = {
        "study_id": None,
        "name": _(ALL_IN_TURN),
        "facts": [],
        "chosen": unchosen,
        "missed": None,
    }
    return [first, *(_study_view(one, chosen=one.chosen) for one in studies)]


def _study_view(study: OwnStudy, *, chosen: bool) -> dict[str, Any]:
    facts = [
        _("{done} of {total} done", done=study.done, total=study.total),
        "" if is_held_back(study) else time_left_text(study.expected_ms, items=study.total - study.done),
        deadline_text(study.deadline),
        _training_text(study),
    ]
    named = {"study_id": study.study_id, "name": study.name, "chosen": chosen}
    return {**named, "facts": [one for one in facts if one], "missed": _missed(study)}


def time_left_text(expected_ms: int | None, *, items: int) -> str:
    """`about 12 min left`; empty if nothing is left or nobody's pace is known yet."""
    if expected_ms is None or items <= 0:
        return ""
    minutes = expected_ms * items / 60_000
    return _("less than a minute left") if minutes < 1 else _("about {n} min left", n=round(minutes))


def deadline_text(deadline: date | None) -> str:
    """The deadline in words; empty without one."""
    return "" if deadline is None else _(deadline_words(deadline, now=today()))


def _training_text(study: OwnStudy) -> str:
    if not study.training:
        return ""
    if study.trained < study.training:
        return _("training: {done} of {total} done", done=study.trained, total=study.training)
    return _("training done")


def is_held_back(study: OwnStudy) -> bool:
    """Whether the training was not good enough for real items, and the lead has to decide."""
    return study.result is not None and study.result.state == "missed"


def _missed(study: OwnStudy) -> dict[str, Any] | None:
    """What is said to somebody who missed the threshold: how many were right, what to read, who decides; None
    if there is no result of a training.
    """
    if study.result is None or study.taxonomy is None:
        return None
    result = study.result
    counts = {"right": result.right, "items": result.items, "needed": result.threshold}
    wanted = {code.split(".")[0] for code in result.missed} | set(result.missed)
    entries = [one for one in codebook_view(study.taxonomy)["codebook"] if one["id"] in wanted]
    return {
        "said": _(MISSED, study=study.name, **counts),
        "read": _(READ) if entries else "",
        "entries": [
            {name: one[name] for name in ("name", "definition", "include", "exclude")} for one in entries
        ],
    }
