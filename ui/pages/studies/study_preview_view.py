"""The preview of a new study: plain sentences, remarks and details. No Gradio, no database."""

from collections.abc import Sequence

from markupsafe import Markup

from clinicnum.annotations.consensus.vote_consensus import ONE_JUDGEMENT
from clinicnum.annotations.study_preview import Preview
from clinicnum.annotations.study_strata import StratumPlan
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.figure_help import help_button
from clinicnum.ui.components.html import note, table
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.value_display_names import word

LONG_HOURS = 8
"""Hours of each annotator from which the preview proposes fewer answers."""
STRATA_COLUMNS = (
    Translatable("Stratum"),
    Translatable("Available"),
    Translatable("Drawn"),
    Translatable("Probability"),
)
LONG = Translatable(
    "That is more than a working day for each of them. A smaller number of answers makes a good start: "
    "another study can take more of them later."
)


def preview_view(preview: Preview) -> str:
    """What the study will be in plain sentences, and the details folded, as escaped HTML."""
    plain = Markup("").join(Markup("<p>{}</p>").format(text) for text in plain_sentences(preview))
    unmet = Markup("").join(_unmet(text) for text in preview.unmet)
    long = note(_(LONG), "warn") if preview.hours_an_annotator > LONG_HOURS else Markup("")
    facts = Markup("").join(Markup("<li>{}</li>").format(text) for text in preview_facts(preview))
    label = _("{n} of {total} answers would be drawn", n=preview.drawn, total=preview.available)
    strata = table(
        label,
        [_(one) for one in STRATA_COLUMNS],
        strata_rows(preview.strata),
        what=help_button("drawn_answers"),
    )
    return str(
        Markup(
            '<div class="cn-page st-preview" role="status"><h2>{}</h2>{}{}{}{}'
            "<details><summary>{}</summary><ul>{}</ul>{}</details></div>"
        ).format(
            _("Preview"), plain, unmet, long, _remarks(preview), _("Details of the sample"), facts, strata
        )
    )


def _unmet(text: Translatable) -> Markup:
    """What the study lacks, as a note; if it lacks a second annotator, with a link to the page that invites
    people.
    """
    if text != ONE_JUDGEMENT:
        return note(_(text), "warn")
    more = _("More people are invited on People (in a new tab; this form stays as it is)")
    away = Markup('{} <a href="/people/" target="_blank" rel="noopener" data-new-tab>{}</a>')
    return note(away.format(_(text), more), "warn")


def _remarks(preview: Preview) -> Markup:
    """Remarks on what the study cannot show, folded away because few readers need their numbers."""
    if not preview.warnings:
        return Markup("")
    n = len(preview.warnings)
    title = ngettext("{n} remark on what this study can show", "{n} remarks on what this study can show", n)
    items = Markup("").join(Markup("<li>{}</li>").format(_(text)) for text in preview.warnings)
    return Markup('<details class="cn-note cn-warn"><summary>{}</summary><ul>{}</ul></details>').format(
        title, items
    )


def plain_sentences(preview: Preview) -> list[str]:
    """What will happen: how many answers, who labels how many, and how long that takes."""
    wrong = sum(one.drawn for one in preview.strata if one.stratum.endswith("/failure"))
    pairs = sum(one.drawn for one in preview.strata if one.stratum.endswith("/pair"))
    return [
        _("{n} pairs of answers will be compared, each pair to the same question.", n=pairs)
        if pairs
        else ngettext(
            "{n} answer will be rated, whatever its score.",
            "{n} answers will be rated, whatever their scores.",
            preview.drawn,
        )
        if preview.kind == "ratings"
        else _(
            "{n} of {total} answers will be labelled: {wrong} scored as failures, {right} scored as right.",
            n=preview.drawn,
            total=preview.available,
            wrong=wrong,
            right=preview.drawn - wrong,
        ),
        *_variants(preview),
        _shares(preview),
        _(
            "That takes about {each} each, {total} in all, at {seconds} seconds an item.",
            each=_hours(preview.hours_an_annotator),
            seconds=preview.seconds_an_item,
            total=_hours(preview.hours_in_all),
        ),
    ]


def _variants(preview: Preview) -> list[str]:
    """How answers to variants are treated, and where to ask for some; nothing if there are none."""
    if not preview.variants_available:
        return []
    more = _("To have some of them labelled too, say how many under More settings.")
    return [_(preview.of_variants()) + ("" if preview.variants_drawn else f" {more}")]


def _shares(preview: Preview) -> str:
    counts = {"people": preview.annotators, "n": preview.items_an_annotator}
    if preview.annotators == 1:
        return _("One person labels every answer: {n} items.", **counts)
    if preview.overlap == preview.annotators:
        return _("Each of the {people} annotators labels every answer: {n} items each.", **counts)
    return _(
        "Every answer is labelled by {overlap} of the {people} annotators: {n} items each.",
        overlap=preview.overlap,
        **counts,
    )


def preview_facts(preview: Preview) -> list[str]:
    """A study's size and workload in detail."""
    invalidated = preview.of_invalidated()
    return [
        *(_variant_facts(preview) or [_(preview.of_variants())]),
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
        *([_("{n} of the items have a suggestion", n=preview.suggestions)] if preview.suggestions else []),
    ]


def _variant_facts(preview: Preview) -> list[str]:
    """How many answers to each kind of variant are drawn."""
    return [
        _(
            "{drawn} of {n} answers to variants of the kind {name} are drawn",
            drawn=one.drawn,
            n=one.available,
            name=one.variant,
        )
        for one in preview.variants
        if preview.variants_drawn
    ]


def strata_rows(strata: Sequence[StratumPlan]) -> list[list[str | int]]:
    """Rows for STRATA_COLUMNS, one per stratum; a word that stands for two parts of it stands once."""
    return [
        [
            ", ".join(dict.fromkeys(word(part) for part in one.stratum.split("/"))),
            one.available,
            one.drawn,
            _chance(one.probability),
        ]
        for one in strata
    ]


def _chance(probability: float) -> str:
    return f"{probability:.3f}" if probability else _("not drawn")


def _hours(hours: float) -> str:
    if hours >= 1:
        return _("{hours:.1f} hours", hours=hours)
    minutes = round(60 * hours)
    return ngettext("{n} minute", "{n} minutes", minutes)
