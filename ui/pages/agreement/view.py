"""A study's agreement statistics as table rows and sentences.

No Gradio, no database.
"""

from collections.abc import Callable, Sequence

from clinicnum.annotations.agreement.format import (
    alternative_interval_table,
    interval_text,
    pair_table,
    thin_labels,
    value_text,
    weighted_table,
)
from clinicnum.annotations.agreement.layers import Layer
from clinicnum.annotations.agreement.sentences import agreement_sentence
from clinicnum.annotations.agreement.types import AgreementResult
from clinicnum.annotations.reliability.precision_outlook import PrecisionOutlook
from clinicnum.annotations.report.report_content import Dot, Plot
from clinicnum.annotations.types import StudyStatus
from clinicnum.db.work.studies.live_agreement import StudyState
from clinicnum.ui.components.html import MISSING

STATUS_WORDS: dict[StudyStatus, str] = {
    "open": "open; figures change with every judgement",
    "paused": "paused",
    "closed": "closed; these figures are final",
}
SUMMARY = ("Layer", "Alpha", "95 % interval", "Pairs that agree", "Items", "Precision")
SUMMARY_WIDTHS: list[str | int] = ["250px", "80px", "150px", "150px", "70px", "500px"]
COEFFICIENT_WIDTHS: list[str | int] = ["250px", "270px", "100px", "160px", "70px", "400px"]
COEFFICIENTS = ("Layer", "Coefficient", "Value", "95 % interval", "Items", "Method, or why undefined")
POPULATIONS = (
    "Layer",
    "Items",
    "Annotators",
    "Labels",
    "Pairs",
    "Subjects",
    "Left out",
    "Labels used, notes",
)
NO_STUDY = "No study yet: `clinicnum study create` makes one."
SIMULATED = "Simulated: these labels were made by scripted annotators, not by people."
SUMMARY_LABEL = "Krippendorff's alpha of each layer"
Rows = list[list[str]]
Columns = tuple[str, ...]


def summary_rows(outlooks: Sequence[PrecisionOutlook]) -> Rows:
    """Rows for the columns SUMMARY, one per layer."""
    return [_summary(one) for one in outlooks]


def _summary(one: PrecisionOutlook) -> list[str]:
    figure, percent = one.figure, one.percent
    agree = MISSING if percent is None or percent.value is None else f"{100 * percent.value:.0f} %"
    if figure is None:
        return [one.layer.title, MISSING, MISSING, agree, MISSING, precision_text(one)]
    known = [value_text(figure), interval_text(figure) or MISSING, agree, str(figure.n_items)]
    return [one.layer.title, *known, precision_text(one)]


def summary_plot(outlooks: Sequence[PrecisionOutlook]) -> Plot | None:
    """A dot plot of each layer's alpha with its 95 % interval; None if no alpha is defined."""
    dots = tuple(
        Dot(row=one.layer.title, series="alpha", value=one.figure.value, interval=one.figure.ci95)
        for one in outlooks
        if one.figure is not None and one.figure.value is not None
    )
    if not dots:
        return None
    alt = "Krippendorff's alpha with 95 % intervals: " + "; ".join(
        f"{dot.row} {dot.value:.2f}" for dot in dots
    )
    return Plot(
        id="alpha", kind="dots", caption="Alpha", alt=alt, table="agreement", unit="number", dots=dots
    )


def precision_text(one: PrecisionOutlook) -> str:
    """Caveats on a layer's agreement, and how many more items the wanted precision requires."""
    if one.figure is None or one.figure.value is None:
        return f"Undefined: {one.why}."
    thin = thin_labels(one.figure) if one.half_width is not None else None
    warning = f"{thin[:1].upper()}{thin[1:]}. " if thin else ""
    return warning + more_items_text(one)


def more_items_text(one: PrecisionOutlook) -> str:
    """How many more items the wanted half-width needs, in words."""
    wanted = f"a half-width of {one.wanted:g}"
    if one.half_width is None:
        return f"No interval yet: {one.why}."
    if one.more is None:
        return f"Half-width {one.half_width:.2f}; no plan for {wanted}: {one.why}."
    if one.more == 0 and one.half_width <= one.wanted:
        return f"Planned precision reached: half-width {one.half_width:.2f}, planned {one.wanted:g}."
    if one.more == 0:
        return f"Half-width {one.half_width:.2f}; the planner expects {wanted} from about as many items."
    of = " that all call a failure" if one.layer.conditional else ""
    how = "" if one.planned else ", if half-widths go with 1/√items"
    return f"About {one.more:,} more items{of} for {wanted}{how}."


def precision_verdict(state: StudyState, outlooks: Sequence[PrecisionOutlook]) -> str:
    """Whether the response judgement and the primary class have reached the planned precision."""
    asked = [one for one in outlooks if one.layer.name in ("response_judgement", "primary")]
    if any(one.half_width is None for one in asked):
        return "Too few labels for an interval yet."
    wide = [one for one in asked if one.half_width is not None and one.half_width > one.wanted]
    if not wide:
        return f"Planned precision of ±{asked[0].wanted:g} reached."
    known = [one.more for one in wide if one.more is not None]
    if len(known) < len(wide):
        return "Planned precision not reached; how many more items it takes cannot be estimated yet."
    left = state.items - state.filled
    if left >= max(known):
        return f"The {left} items still open are expected to give ±{wide[0].wanted:g}."
    here = f"{left} of this study are still open" if left else "this study has none left"
    return f"About {max(known):,} more items for ±{wide[0].wanted:g}; {here}."


def in_words(layers: Sequence[Layer]) -> str:
    """Agreement on each question in a sentence, as a Markdown list."""
    return "\n".join(
        f"- {agreement_sentence(layer.title, layer.result)}" for layer in layers if layer.result is not None
    )


def progress_text(state: StudyState) -> str:
    """The study's progress, in one sentence."""
    judgements = "judgement" if state.overlap == 1 else "judgements"
    return (
        f"{state.filled} of {state.items} items have {state.overlap} {judgements}. "
        f"The study is {STATUS_WORDS[state.status]}."
    )


def newer_judgements_text(newer: int) -> str:
    """A notice that judgements were saved after the statistics were computed; empty if none were."""
    if newer <= 0:
        return ""
    return f"{newer} newer {'judgement' if newer == 1 else 'judgements'}: press Refresh to include them."


# ---------- the layers


def coefficient_rows(layers: Sequence[Layer]) -> Rows:
    """Rows for COEFFICIENTS: all coefficients of all layers, including per-category and undefined ones."""
    rows: Rows = []
    for layer in layers:
        if layer.result is None:
            rows.append([layer_title(layer), MISSING, "undefined", MISSING, "0", layer.undefined or ""])
            continue
        rows += [
            [
                layer_title(layer),
                one.name,
                value_text(one),
                interval_text(one) or MISSING,
                str(one.n_items),
                one.undefined or one.ci_method or "",
            ]
            for one in layer.result.coefficients
        ]
    return rows


def layer_title(layer: Layer) -> str:
    """The layer's title, marked if the layer covers only a subset of the items."""
    return f"{layer.title} (conditional)" if layer.conditional else layer.title


def population_rows(layers: Sequence[Layer]) -> Rows:
    """Rows for POPULATIONS: the labels that each layer's coefficients describe."""
    rows: Rows = []
    for layer in layers:
        if layer.result is None:
            continue
        one = layer.result.population
        left_out = "; ".join(f"{some.n} {some.what}: {some.why}" for some in one.left_out) or "nothing"
        counts = map(str, (one.items, one.annotators, one.labels, one.pairs))
        subjects = MISSING if one.clusters is None else str(one.clusters)
        notes = "; ".join((one.rule, *one.notes))
        rows.append([layer_title(layer), *counts, subjects, left_out, notes])
    return rows


def pair_coefficients(layers: Sequence[Layer]) -> tuple[Columns, Rows]:
    """Every coefficient of each pair of annotators, on the items that both labelled."""
    return _of_layers(layers, pair_table)


def weighted_coefficients(layers: Sequence[Layer]) -> tuple[Columns, Rows]:
    """Columns and rows of coefficients weighted by inverse sampling probability, beside unweighted ones."""
    return _of_layers(layers, lambda result: _with_notes(*weighted_table(result)))


def alternative_intervals(layers: Sequence[Layer]) -> tuple[Columns, Rows]:
    """Columns and rows of alternative intervals for the same values, as a sensitivity analysis."""
    return _of_layers(layers, lambda result: _with_notes(*alternative_interval_table(result)))


def _with_notes(
    columns: Columns, rows: Sequence[tuple[str, ...]], notes: Sequence[str]
) -> tuple[Columns, list[tuple[str, ...]]]:
    """The table with the note numbers in its last column replaced by the notes' text."""
    texts = {number: text for number, _, text in (one.partition(" ") for one in notes)}
    return columns, [(*row[:-1], texts.get(row[-1], row[-1])) for row in rows]


def _of_layers(
    layers: Sequence[Layer],
    table: Callable[[AgreementResult], tuple[Columns, Sequence[tuple[str, ...]]]],
) -> tuple[Columns, Rows]:
    """Merge the layers' tables into one: layer name first, a dash for columns that a layer lacks."""
    found = [(layer_title(one), *table(one.result)) for one in layers if one.result is not None]
    columns = tuple(dict.fromkeys(name for _, names, _ in found for name in names))
    rows = [
        [title, *(dict(zip(names, row, strict=True)).get(name, MISSING) for name in columns)]
        for title, names, some in found
        for row in some
    ]
    return ("Layer", *(name[:1].upper() + name[1:] for name in columns)), rows
