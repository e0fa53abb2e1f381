"""The new-study form: its texts and choices, and the preview as rows and HTML. No Gradio, no database."""

from collections.abc import Sequence
from typing import get_args

from markupsafe import Markup

from clinicnum.annotations.guideline import guideline_version_words
from clinicnum.annotations.run_names import display_names
from clinicnum.annotations.sampling import Include
from clinicnum.annotations.study_preview import Preview
from clinicnum.annotations.study_summary import RunSummary, StudyProgress
from clinicnum.annotations.types import STUDY_STATUSES, StudySummary, SuggestionPolicy, User
from clinicnum.stats.accuracy import STATUSES
from clinicnum.translatable import Translatable
from clinicnum.types import OPERATIONS, REPRESENTATIONS
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.terms import word

INCLUDE: dict[Include, str] = {
    "mixed": Translatable("failures, and some scored-correct beside them"),
    "incorrect": Translatable("failures only"),
    "all": Translatable("everything, as it comes"),
}
POLICY: dict[SuggestionPolicy, str] = {
    "hidden": Translatable("never shown"),
    "after_judgement": Translatable("shown with the reference, once the judgement without it is locked"),
    "shown": Translatable("shown from the start"),
    "randomised": Translatable("shown from the start on half of the items, drawn by lot"),
}
ELSEWHERE = "external"
assert set(INCLUDE) == set(get_args(Include))
assert set(POLICY) == set(get_args(SuggestionPolicy))

STRATA_COLUMNS = (
    Translatable("Stratum"),
    Translatable("Available"),
    Translatable("Drawn"),
    Translatable("Probability"),
)
OWN_GUIDELINE = Translatable(
    "In Markdown; it stands beside the work. Left empty, annotators get the default one, which is made from "
    "the taxonomy and is version 0."
)
OWN_FIELDS = Translatable(
    "In YAML, as docs/custom-fields.md describes it: what annotators are asked besides. Fixed once the study "
    "is open."
)
QUALITY = Translatable(
    "Training items come first, with feedback. Control items are hidden among the others. Both are taken "
    "from the adjudicated and unanimous items of a closed study on the same runs."
)
NO_RUN = Translatable("No scored run is in the database yet; on the server: `clinicnum runs add --help`.")
NO_ANNOTATOR = Translatable("No account has the role annotator yet; add one on the page People.")
CHANGED = Translatable(
    "The form was changed after the preview: preview it again, so that what you saw is what is opened."
)
UPHELD_SINCE = Translatable(
    "A contest was upheld after the preview, so other answers would be drawn: preview it again, so that what "
    "you saw is what is opened."
)
INCLUDE_CHOICES = [(text, key) for key, text in INCLUDE.items()]
POLICY_CHOICES = [(text, key) for key, text in POLICY.items()]


def operation_choices() -> list[tuple[str, str]]:
    """(label, operation) of each operation."""
    return [(word(one), one) for one in (*OPERATIONS, ELSEWHERE)]


def representation_choices() -> list[tuple[str, str]]:
    """(label, representation) of each representation."""
    return [(word(one), one) for one in (*REPRESENTATIONS, ELSEWHERE)]


def status_choices() -> list[tuple[str, str]]:
    """(label, status) of each status of a score."""
    return [(word(one), one) for one in STATUSES]


def run_choices(runs: Sequence[RunSummary]) -> list[tuple[str, str]]:
    """(label, row id) of each run that a study can use."""
    names = display_names(runs)
    return [(f"{names[one.run]}: {_run(one)}", one.run) for one in runs if one.scored]


def annotators_of(people: Sequence[User]) -> list[User]:
    """The accounts that may annotate."""
    return [one for one in people if one.role == "annotator" and one.active]


def annotator_choices(people: Sequence[User]) -> list[tuple[str, str]]:
    """(label, name) of each account that may annotate."""
    return [
        (_("{name} (simulated)", name=one.name) if one.kind == "simulated" else one.name, one.name)
        for one in annotators_of(people)
    ]


def reference_choices(studies: Sequence[StudyProgress]) -> list[tuple[str, str]]:
    """(label, name) of each study that can supply reference labels; the first choice is none."""
    closed = [(one.name, one.name) for one in studies if one.status == STUDY_STATUSES[-1]]
    return [(_("No study"), ""), *closed]


def _run(one: RunSummary) -> str:
    return _(
        "{model}, {n} answers, {percent:.0f} % scored correct, on {benchmark}",
        model=one.model or _("model not named"),
        n=one.scored,
        percent=100 * one.statuses.get("correct", 0) / one.scored,
        benchmark=one.benchmark_id,
    )


def slice_note(words: str, n: int) -> str:
    """What is said of the slice that the sample is drawn from, as HTML."""
    return str(
        note(
            _(
                "The sample is drawn from the slice that you explored, {n:,} answers ({words}). The study's "
                "design and its report say so: they say nothing of answers outside it.",
                n=n,
                words=words or _("all answers of the runs"),
            )
        )
    )


def strata_rows(preview: Preview) -> list[list[str | int]]:
    """Rows for STRATA_COLUMNS, one per stratum."""
    return [
        [
            ", ".join(word(part) for part in one.stratum.split("/")),
            one.available,
            one.drawn,
            _chance(one.probability),
        ]
        for one in preview.strata
    ]


def strata_label(preview: Preview) -> str:
    """The heading of the table of strata."""
    return _("{n} of {total} answers would be drawn", n=preview.drawn, total=preview.available)


def preview_view(preview: Preview) -> str:
    """Warnings before opening the study, and its workload, as escaped HTML."""
    warnings = Markup("").join(note(_(text), "warn") for text in preview.warnings)
    facts = Markup("").join(Markup("<li>{}</li>").format(text) for text in preview_facts(preview))
    return str(
        Markup('<div class="cn-page" role="status"><h2>{}</h2>{}<ul>{}</ul></div>').format(
            _("Preview"), warnings, facts
        )
    )


def preview_facts(preview: Preview) -> list[str]:
    """A study's size and workload."""
    invalidated = preview.of_invalidated()
    return [
        _(preview.of_variants()),
        *([_(invalidated)] if invalidated else []),
        _(
            "{n} items of {subjects} subjects, {overlap} annotators per item; {training} training and "
            "{controls} control items for everyone: {judgements} judgements",
            n=preview.drawn,
            subjects=preview.subjects,
            overlap=preview.overlap,
            training=preview.training,
            controls=preview.controls,
            judgements=preview.judgements,
        ),
        _(
            "{n} items for each of {annotators} annotators, {repeats} blind repeats among them",
            n=preview.items_an_annotator,
            annotators=preview.annotators,
            repeats=preview.repeats_an_annotator,
        ),
        _(
            "about {each} each at {seconds} s per item, {total} in all",
            each=_hours(preview.hours_an_annotator),
            seconds=preview.seconds_an_item,
            total=_hours(preview.hours_in_all),
        ),
        *([_("{n} of the items have a suggestion", n=preview.suggestions)] if preview.suggestions else []),
    ]


def opened(study: StudySummary) -> str:
    """What is said of a study that was just opened."""
    return _(
        "Study {name} is open: {items} items for {annotators} annotators; its guideline is {version}.",
        name=study.name,
        items=study.generations,
        annotators=study.annotators,
        version=guideline_version_words(study.guideline_version),
    )


def _chance(probability: float) -> str:
    return f"{probability:.3f}" if probability else _("not drawn")


def _hours(hours: float) -> str:
    if hours >= 1:
        return _("{hours:.1f} hours", hours=hours)
    minutes = round(60 * hours)
    return ngettext("{n} minute", "{n} minutes", minutes)
