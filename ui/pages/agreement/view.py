"""A study's agreement statistics as table rows and sentences.

No Gradio, no database.
"""

from collections.abc import Callable, Sequence

from clinicnum.annotations.agreement.format_results import (
    alternative_interval_table,
    interval_text,
    pair_table,
    value_text,
    weighted_table,
)
from clinicnum.annotations.agreement.study_agreement import Layer
from clinicnum.annotations.agreement.types import AgreementResult
from clinicnum.annotations.reliability.need_for_more_labels import PrecisionOutlook
from clinicnum.annotations.report.report_content import Dot, Plot
from clinicnum.annotations.types import StudyStatus
from clinicnum.db.work.studies.labels_for_agreement import StudyState
from clinicnum.stats.rounded_figures import rounded
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.html import MISSING, note
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.pages.agreement.coefficient_titles import coefficient_title
from clinicnum.ui.pages.agreement.summary_sentences import precision_text

STATUS_WORDS: dict[StudyStatus, str] = {
    "open": Translatable("The study is open; figures change with every judgement."),
    "paused": Translatable("The study is paused."),
    "closed": Translatable("The study is closed; these figures are final."),
}
SUMMARY = (
    Translatable("Layer"),
    Translatable("Alpha"),
    Translatable("95 % interval"),
    Translatable("Pairs that agree"),
    Translatable("Items"),
    Translatable("Precision"),
)
SUMMARY_WIDTHS: list[str | int] = ["250px", "105px", "150px", "150px", "70px", "475px"]
COEFFICIENT_WIDTHS: list[str | int] = ["250px", "270px", "100px", "160px", "70px", "400px"]
COEFFICIENTS = (
    Translatable("Layer"),
    Translatable("Coefficient"),
    Translatable("Value"),
    Translatable("95 % interval"),
    Translatable("Items"),
    Translatable("Method, or why undefined"),
)
POPULATIONS = (
    Translatable("Layer"),
    Translatable("Items"),
    Translatable("Annotators"),
    Translatable("Labels"),
    Translatable("Pairs"),
    Translatable("Subjects"),
    Translatable("Left out"),
    Translatable("Labels used, notes"),
)
NO_STUDY = Translatable(
    "Here you see how far the people who label agree. There is no study yet that you may look into: a "
    "researcher or an admin opens one on the page Studies, and the first figures come with the first labels."
)
SIMULATED = Translatable("Simulated: these labels were made by scripted annotators, not by people.")
PARTLY_SIMULATED = Translatable(
    "Partly simulated: scripted annotators labelled beside people, so these figures test the software only."
)
_SIMULATED_OF = {"simulated": SIMULATED, "human+simulated": PARTLY_SIMULATED}
SUMMARY_LABEL = Translatable("Krippendorff's alpha of each layer")
Rows = list[list[str]]
Columns = tuple[str, ...]


def no_such_study(name: str) -> str:
    """The message that the study named in the address is not there, as HTML."""
    return str(
        note(_("There is no study “{study}”; choose one of those there are.", study=name[:100]), "warn")
    )


def summary_rows(outlooks: Sequence[PrecisionOutlook]) -> Rows:
    """Rows for the columns SUMMARY, one per layer."""
    return [_summary(one) for one in outlooks]


def _summary(one: PrecisionOutlook) -> list[str]:
    figure, percent = one.figure, one.percent
    agree = MISSING if percent is None or percent.value is None else f"{rounded(100 * percent.value, 0)} %"
    if figure is None:
        return [_(one.layer.title), MISSING, MISSING, agree, MISSING, precision_text(one)]
    known = [_(value_text(figure)), interval_text(figure) or MISSING, agree, str(figure.n_items)]
    return [_(one.layer.title), *known, precision_text(one)]


def summary_plot(outlooks: Sequence[PrecisionOutlook]) -> Plot | None:
    """A dot plot of each layer's alpha with its 95 % interval; None if no alpha is defined."""
    dots = tuple(
        Dot(row=_(one.layer.title), series="alpha", value=one.figure.value, interval=one.figure.ci95)
        for one in outlooks
        if one.figure is not None and one.figure.value is not None
    )
    if not dots:
        return None
    values = "; ".join(f"{dot.row} {dot.value:.2f}" for dot in dots)
    alt = _("Krippendorff's alpha with 95 % intervals: {values}", values=values)
    return Plot(
        id="alpha", kind="dots", caption=_("Alpha"), alt=alt, table="agreement", unit="number", dots=dots
    )


def simulated_note(annotator_kind: str) -> str:
    """A warning that scripts made all or some of the labels, as HTML; empty if people made all."""
    said = _SIMULATED_OF.get(annotator_kind)
    return "" if said is None else str(note(_(said), "warn"))


def progress_text(state: StudyState) -> str:
    """The study's progress, in one sentence."""
    filled = ngettext(
        "{filled} of {items} items have {n} judgement.",
        "{filled} of {items} items have {n} judgements.",
        state.overlap,
        filled=state.filled,
        items=state.items,
    )
    return f"{filled} {_(STATUS_WORDS[state.status])}"


def newer_judgements_text(newer: int) -> str:
    """A notice that judgements were saved after the statistics were computed; empty if none were."""
    if newer <= 0:
        return ""
    return ngettext(
        "{n} newer judgement: press Refresh to include it.",
        "{n} newer judgements: press Refresh to include them.",
        newer,
    )


# ---------- the layers


def coefficient_rows(layers: Sequence[Layer]) -> Rows:
    """Rows for COEFFICIENTS: all coefficients of all layers, including per-category and undefined ones."""
    rows: Rows = []
    for layer in layers:
        if layer.result is None:
            rows.append([layer_title(layer), MISSING, _("undefined"), MISSING, "0", layer.undefined or ""])
            continue
        rows += [
            [
                layer_title(layer),
                coefficient_title(one.name),
                _(value_text(one)),
                interval_text(one) or MISSING,
                str(one.n_items),
                one.undefined or one.ci_method or "",
            ]
            for one in layer.result.coefficients
        ]
    return rows


def layer_title(layer: Layer) -> str:
    """The layer's title, marked if the layer covers only a subset of the items."""
    title = _(layer.title)
    return _("{layer} (conditional)", layer=title) if layer.conditional else title


def population_rows(layers: Sequence[Layer]) -> Rows:
    """Rows for POPULATIONS: the labels that each layer's coefficients describe."""
    rows: Rows = []
    for layer in layers:
        if layer.result is None:
            continue
        one = layer.result.population
        left_out = "; ".join(f"{some.n} {some.what}: {some.why}" for some in one.left_out) or _("nothing")
        counts = map(str, (one.items, one.annotators, one.labels, one.pairs))
        subjects = MISSING if one.clusters is None else str(one.clusters)
        notes = "; ".join((one.rule, *one.notes))
        rows.append([layer_title(layer), *counts, subjects, left_out, notes])
    return rows


def pair_coefficients(layers: Sequence[Layer]) -> tuple[Columns, Rows]:
    """Columns and rows of every coefficient of each pair of annotators, on the items that both labelled."""
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
    """The table with the coefficients' titles in its first column, and the notes' text in its last."""
    texts = {number: text for number, _, text in (one.partition(" ") for one in notes)}
    return columns, [(coefficient_title(row[0]), *row[1:-1], texts.get(row[-1], row[-1])) for row in rows]


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
    return (_("Layer"), *(name[:1].upper() + name[1:] for name in columns)), rows
