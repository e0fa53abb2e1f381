"""Studies, their details and previews as table rows and escaped HTML. No Gradio, no database."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import get_args

from markupsafe import Markup

from clinicnum.annotations.custom_answers import declared_words
from clinicnum.annotations.deadline import deadline_words, today
from clinicnum.annotations.guideline import guideline_version_words
from clinicnum.annotations.sampling import Include
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_preview import Preview
from clinicnum.annotations.study_summary import AnnotatorProgress, RunSummary, StudyDetails, StudyProgress
from clinicnum.annotations.types import STUDY_STATUSES, StudySummary, SuggestionPolicy, User
from clinicnum.types import OPERATIONS, REPRESENTATIONS
from clinicnum.ui.components.html import note

INCLUDE: dict[Include, str] = {
    "mixed": "failures, and some scored-correct beside them",
    "incorrect": "failures only",
    "all": "everything, as it comes",
}
POLICY: dict[SuggestionPolicy, str] = {
    "hidden": "never shown",
    "after_judgement": "shown with the reference, once the judgement without it is locked",
    "shown": "shown from the start",
    "randomised": "shown from the start on half of the items, drawn by lot",
}
ELSEWHERE = "external"
assert set(INCLUDE) == set(get_args(Include))
assert set(POLICY) == set(get_args(SuggestionPolicy))


STUDY_COLUMNS = (
    *("Study", "Status", "Judgements", "Items filled", "In work", "Skipped", "Flagged", "Opened"),
    "Deadline",
)
ANNOTATOR_COLUMNS = ("Account", "In exports", "Done", "Share", "In work", "Skipped", "Flagged")
DESIGN_COLUMNS = ("Setting", "Value")
STRATA_COLUMNS = ("Stratum", "Available", "Drawn", "Probability")
DEADLINE = "The day, in UTC, by which the work is wanted: year-month-day. It blocks nothing; empty: none."
CHOOSE = "Or click its row in the table."
CLOSE = (
    "Nobody can save in it any more, open drafts stay unsent, and its annotators may then see each other's "
    "judgements. To stop for a while only, pause it."
)
REOPEN = (
    "It was closed, so annotators may have seen each other's judgements: what they change from now on is not "
    "independent. When it was first closed stays on record."
)
ADD = "Training and control items are theirs too; everyone's share shrinks."
OWN_GUIDELINE = (
    "In Markdown; it stands beside the work. Left empty, annotators get the default one, which is made from "
    "the taxonomy and is version 0."
)
OWN_FIELDS = (
    "In YAML, as docs/custom-fields.md describes it: what annotators are asked besides. Fixed once the study "
    "is open."
)
NEW_GUIDELINE = "In Markdown; judgements from then on carry the new version."
QUALITY = (
    "Training items come first, with feedback. Control items are hidden among the others. Both are taken "
    "from the adjudicated and unanimous items of a closed study on the same runs."
)
NO_RUN = "No scored run is in the database yet; on the server: `clinicnum runs add --help`."
NO_ANNOTATOR = "No account has the role annotator yet; add one on the page People."
CHANGED = "The form was changed after the preview: preview it again, so that what you saw is what is opened."
UPHELD_SINCE = (
    "A contest was upheld after the preview, so other answers would be drawn: preview it again, so that what "
    "you saw is what is opened."
)


def study_rows(studies: Sequence[StudyProgress]) -> list[list[str | int]]:
    """Rows for STUDY_COLUMNS, one per study."""
    return [
        [
            one.name,
            one.status,
            _judged(one),
            f"{one.filled} of {one.items}",
            one.in_work,
            one.skipped,
            one.flagged,
            _day(one.created_at),
            _deadline(one),
        ]
        for one in studies
    ]


def studies_label(studies: Sequence[StudyProgress]) -> str:
    """The heading of the table of studies."""
    return f"{len(studies)} {'study' if len(studies) == 1 else 'studies'}"


def _deadline(one: StudyProgress) -> str:
    """`due 30 Nov, 4 days left; at risk`; the day alone for a study that is not open."""
    if one.deadline is None:
        return ""
    if one.status != "open":
        return str(one.deadline)
    words = deadline_words(one.deadline, now=today())
    near = one.deadline >= today() and one.is_at_risk(now=datetime.now(UTC))
    return f"{words}; at risk" if near else words


def _judged(one: StudyProgress) -> str:
    share = round(100 * one.judged / one.places) if one.places else 0
    return f"{one.judged} of {one.places} ({share} %)"


def summary_view(one: StudyProgress) -> str:
    """A study's progress, as escaped HTML."""
    facts = [
        f"{_judged(one)} judgements",
        f"{one.filled} of {one.items} items filled",
        f"{one.due} due for adjudication",
        f"{one.contests} open contests",
    ]
    if one.repeats:
        facts.append(f"{one.repeats} blind repeats")
    if one.closed_at is not None:
        reopened = "" if one.status == "closed" else " and reopened"
        facts.append(f"first closed {_day(one.closed_at)}{reopened}")
    outlook = one.outlook(now=datetime.now(UTC))
    below = "" if outlook is None else Markup('<p class="st-outlook">{}</p>').format(outlook)
    page = Markup('<div class="cn-page"><h2>{} <small>{}</small></h2><p class="cn-muted">{}</p>{}</div>')
    return str(page.format(one.name, one.status, " · ".join(facts), below))


def warning_view(title: str, *texts: str) -> str:
    """The consequences of a change that is hard to undo, as escaped HTML."""
    lines = Markup("").join(Markup("<p>{}</p>").format(text) for text in texts if text)
    return str(
        Markup('<div class="cn-note cn-warn" role="alert"><strong>{}</strong>{}</div>').format(title, lines)
    )


def guideline_view(text: str) -> str:
    """A guideline's source text, as escaped HTML."""
    return str(
        Markup(
            '<div class="cn-page"><pre class="st-text" tabindex="0" role="region" aria-label="Guideline">'
            "{}</pre></div>"
        ).format(text or "No guideline was given.")
    )


def version_label(version: int, created: datetime) -> str:
    """The label of a guideline version in the dropdown."""
    words = guideline_version_words(str(version))
    return f"{words[0].upper()}{words[1:]}, of {_day(created)}"


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def addable(details: StudyDetails, people: Sequence[User]) -> list[str]:
    """The names of accounts that can be added to a study."""
    there = {one.name for one in details.annotators}
    return [one.name for one in annotators_of(people) if one.name not in there]


def annotators_of(people: Sequence[User]) -> list[User]:
    """The accounts that may annotate."""
    return [one for one in people if one.role == "annotator" and one.active]


def annotator_rows(details: StudyDetails) -> list[list[str | int]]:
    """Rows for ANNOTATOR_COLUMNS, one per annotator of the study."""
    return [_annotator(one) for one in details.annotators]


def _annotator(one: AnnotatorProgress) -> list[str | int]:
    name = one.name if one.kind == "human" else f"{one.name} (simulated)"
    return [name, one.pseudonym, one.done, one.share, one.in_work, one.skipped, one.flagged]


def design_rows(details: StudyDetails) -> list[list[str]]:
    """Rows for DESIGN_COLUMNS: the settings that the study was opened with."""
    design = details.design
    share = [["Scored-correct share", f"{100 * design.correct_share:.0f} %"]]
    return [
        ["Runs", ", ".join(details.runs)],
        ["Drawn from", INCLUDE[design.include] + _filtered(design)],
        *(share if design.include == "mixed" else []),
        ["Base questions", "all" if design.size is None else str(design.size)],
        ["Variants", str(design.variants)],
        ["Annotators per item", str(design.overlap)],
        ["Training, control items", f"{design.training}, {design.controls}"],
        ["Training items to judge as the reference", str(design.qualifying or "no threshold")],
        ["Blind repeats", f"{100 * design.repeat_share:.0f} %"],
        ["Suggestions", POLICY[design.suggestions]],
        ["Lease time", f"{design.lease_minutes} minutes"],
        *([f"Own field {one.name}", declared_words(one)] for one in design.fields),
        ["Seed", str(details.seed or "kept secret until the study is closed and decided")],
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


OPERATION_CHOICES = (*OPERATIONS, ELSEWHERE)
REPRESENTATION_CHOICES = (*REPRESENTATIONS, ELSEWHERE)
INCLUDE_CHOICES = [(text, key) for key, text in INCLUDE.items()]
POLICY_CHOICES = [(text, key) for key, text in POLICY.items()]


def run_choices(runs: Sequence[RunSummary]) -> list[tuple[str, str]]:
    """(label, row id) of each run that a study can use."""
    return [(f"{one.run_id}: {_run(one)}", one.run) for one in runs if one.scored]


def annotator_choices(people: Sequence[User]) -> list[tuple[str, str]]:
    """(label, name) of each account that may annotate."""
    return [
        (f"{one.name} (simulated)" if one.kind == "simulated" else one.name, one.name)
        for one in annotators_of(people)
    ]


def reference_choices(studies: Sequence[StudyProgress]) -> list[tuple[str, str]]:
    """(label, name) of each study that can supply reference labels; the first choice is none."""
    return [("No study", ""), *((one.name, one.name) for one in studies if one.status == STUDY_STATUSES[-1])]


def _run(one: RunSummary) -> str:
    right = one.statuses.get("correct", 0)
    share = f"{100 * right / one.scored:.0f} % scored correct"
    return f"{one.model or 'model not named'}, {one.scored} answers, {share}, on {one.benchmark_id}"


def strata_rows(preview: Preview) -> list[list[str | int]]:
    """Rows for STRATA_COLUMNS, one per stratum."""
    return [
        [one.stratum.replace("/", ", "), one.available, one.drawn, _chance(one.probability)]
        for one in preview.strata
    ]


def strata_label(preview: Preview) -> str:
    """The heading of the table of strata."""
    return f"{preview.drawn} of {preview.available} answers would be drawn"


def preview_view(preview: Preview) -> str:
    """Warnings before opening the study, and its workload, as escaped HTML."""
    warnings = Markup("").join(note(text, "warn") for text in preview.warnings)
    facts = Markup("").join(Markup("<li>{}</li>").format(text) for text in preview_facts(preview))
    return str(
        Markup('<div class="cn-page" role="status"><h2>Preview</h2>{}<ul>{}</ul></div>').format(
            warnings, facts
        )
    )


def preview_facts(preview: Preview) -> list[str]:
    """A study's size and workload."""
    return [
        preview.of_variants(),
        *([preview.of_invalidated()] if preview.left_out else []),
        f"{preview.drawn} items of {preview.subjects} subjects, {preview.overlap} annotators per item; "
        f"{preview.training} training and {preview.controls} control items for everyone: "
        f"{preview.judgements} judgements",
        f"{preview.items_an_annotator} items for each of {preview.annotators} annotators, "
        f"{preview.repeats_an_annotator} blind repeats among them",
        f"about {_hours(preview.hours_an_annotator)} each at {preview.seconds_an_item} s per item, "
        f"{_hours(preview.hours_in_all)} in all",
        *([f"{preview.suggestions} of the items have a suggestion"] if preview.suggestions else []),
    ]


def opened(study: StudySummary) -> str:
    """What is said of a study that was just opened."""
    return (
        f"Study {study.name} is open: {study.generations} items for {study.annotators} annotators; its "
        f"guideline is {guideline_version_words(study.guideline_version)}."
    )


def _chance(probability: float) -> str:
    return f"{probability:.3f}" if probability else "not drawn"


def _hours(hours: float) -> str:
    return f"{hours:.1f} hours" if hours >= 1 else f"{60 * hours:.0f} minutes"
