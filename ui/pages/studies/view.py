"""Studies, their details and the preview of a new one, as plain dicts. No Gradio, no database."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, get_args

from clinicnum.annotations.sampling import Include
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_preview import Preview
from clinicnum.annotations.study_summary import AnnotatorProgress, RunSummary, StudyDetails, StudyProgress
from clinicnum.annotations.types import STUDY_STATUSES, SuggestionPolicy, User
from clinicnum.stats.accuracy import STATUSES
from clinicnum.types import OPERATIONS, REPRESENTATIONS

INCLUDE: dict[Include, str] = {
    "mixed": "failures, and some scored-correct beside them",
    "incorrect": "failures only",
    "all": "everything, as it comes",
}
POLICY: dict[SuggestionPolicy, str] = {
    "hidden": "never shown",
    "after_judgement": "shown once the first judgement is saved",
    "shown": "shown from the start",
    "randomised": "shown from the start on half of the items, drawn by lot",
}
ELSEWHERE = "external"
assert set(INCLUDE) == set(get_args(Include))
assert set(POLICY) == set(get_args(SuggestionPolicy))


def studies_view(studies: Sequence[StudyProgress]) -> list[dict[str, Any]]:
    """All studies, one dict each."""
    return [_study(one) for one in studies]


def _study(one: StudyProgress) -> dict[str, Any]:
    facts = [
        f"{one.filled} of {one.items} items filled",
        f"{one.in_work} in work",
        f"{one.skipped} skipped",
        f"{one.flagged} flagged",
        f"{one.due} for adjudication",
        f"{one.contests} open contests",
    ]
    if one.repeats:
        facts.append(f"{one.repeats} blind repeats")
    if one.closed_at is not None:
        reopened = "" if one.status == "closed" else " and reopened"
        facts.append(f"first closed {_day(one.closed_at)}{reopened}")
    return {
        "name": one.name,
        "status": one.status,
        "judged": one.judged,
        "places": one.places,
        "facts": facts,
        "closing_note": one.closing_note(),
        "created": _day(one.created_at),
    }


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def details_view(details: StudyDetails, people: Sequence[User]) -> dict[str, Any]:
    """One study; `people` are all accounts, of which those that may be added are named."""
    there = {one.name for one in details.annotators}
    return {
        "name": details.progress.name,
        "annotators": [_annotator(one) for one in details.annotators],
        "addable": [one.name for one in _annotators(people) if one.name not in there],
        "design": _design(details),
        "guidelines": [
            {"version": one.version, "text": one.text, "created": _day(one.created_at)}
            for one in details.guidelines
        ],
    }


def _annotators(people: Sequence[User]) -> list[User]:
    return [one for one in people if one.role == "annotator" and one.active]


def _annotator(one: AnnotatorProgress) -> list[str]:
    name = one.name if one.kind == "human" else f"{one.name} (simulated)"
    return [name, one.pseudonym, *map(str, (one.done, one.share, one.in_work, one.skipped, one.flagged))]


def _design(details: StudyDetails) -> list[list[str]]:
    """What it was opened with, as (what, value)."""
    design = details.design
    return [
        ["Runs", ", ".join(details.runs)],
        ["Drawn from", INCLUDE[design.include] + _filtered(design)],
        *(
            [["Scored-correct share", f"{100 * design.correct_share:.0f} %"]]
            if design.include == "mixed"
            else []
        ),
        ["Size asked for", "all" if design.size is None else str(design.size)],
        ["Variants asked for", str(design.variants)],
        ["Annotators an item", str(design.overlap)],
        ["Training, control items", f"{design.training}, {design.controls}"],
        ["Blind repeats", f"{100 * design.repeat_share:.0f} %"],
        ["Suggestions", POLICY[design.suggestions]],
        ["Lease", f"{design.lease_minutes} min"],
        [
            "Seed",
            "kept secret until the study is closed and decided"
            if details.seed is None
            else str(details.seed),
        ],
    ]


def _filtered(design: Design) -> str:
    where = design.where
    named = (
        *where.operations,
        *where.representations,
        *where.statuses,
        *where.template_ids,
        *(("variants among them",) if where.variants else ()),
    )
    return f" ({', '.join(named)})" if named else ""


def choices_view(
    runs: Sequence[RunSummary], people: Sequence[User], studies: Sequence[StudyProgress]
) -> dict[str, Any]:
    """What the form for a new study offers."""
    return {
        "runs": [{"value": one.run, "label": one.run_id, "about": _run(one)} for one in runs if one.scored],
        "annotators": [
            {"value": one.name, "label": one.name, "about": "simulated" if one.kind == "simulated" else ""}
            for one in _annotators(people)
        ],
        "operations": _plain((*OPERATIONS, ELSEWHERE)),
        "representations": _plain((*REPRESENTATIONS, ELSEWHERE)),
        "statuses": _plain(STATUSES),
        "include": [{"value": key, "label": key, "about": text} for key, text in INCLUDE.items()],
        "suggestions": [
            {"value": key, "label": key.replace("_", " "), "about": text} for key, text in POLICY.items()
        ],
        "closed": _plain([one.name for one in studies if one.status == STUDY_STATUSES[-1]]),
    }


def _plain(names: Sequence[str]) -> list[dict[str, str]]:
    return [{"value": one, "label": one, "about": ""} for one in names]


def _run(one: RunSummary) -> str:
    right = one.statuses.get("correct", 0)
    share = f"{100 * right / one.scored:.0f} % scored correct"
    return f"{one.model or 'model not named'}, {one.scored} answers, {share}, on {one.benchmark_id}"


def preview_view(preview: Preview) -> dict[str, Any]:
    """The strata as rows of text, what the study asks for, and what to know before it opens."""
    return {
        "caption": f"{preview.drawn} of {preview.available} answers would be drawn",
        "strata": [
            [one.stratum.replace("/", ", "), str(one.available), str(one.drawn), _chance(one.probability)]
            for one in preview.strata
        ],
        "facts": [
            preview.of_variants(),
            f"{preview.drawn} items of {preview.subjects} subjects, {preview.overlap} annotators an item; "
            f"{preview.training} training and {preview.controls} control items for everyone: "
            f"{preview.judgements} judgements",
            f"{preview.items_an_annotator} items for each of {preview.annotators} annotators, "
            f"{preview.repeats_an_annotator} blind repeats among them",
            f"about {_hours(preview.hours_an_annotator)} each at {preview.seconds_an_item} s an item, "
            f"{_hours(preview.hours_in_all)} in all",
            *([f"{preview.suggestions} of the items have a suggestion"] if preview.suggestions else []),
        ],
        "warnings": list(preview.warnings),
    }


def _chance(probability: float) -> str:
    return f"{probability:.3f}" if probability else "not drawn"


def _hours(hours: float) -> str:
    return f"{hours:.1f} hours" if hours >= 1 else f"{60 * hours:.0f} minutes"
