"""The section on agreement: the layers of `study_agreement`, each with its population."""

from collections.abc import Sequence

from clinicnum.annotations.agreement import CoefficientValue, Rating, agreement
from clinicnum.annotations.agreement.format_results import headline, value_text
from clinicnum.annotations.agreement.study_agreement import Layer
from clinicnum.annotations.report.question_summary import templates_word
from clinicnum.annotations.report.report_content import Cell, Column, Section, Table
from clinicnum.annotations.report.sections.agreement_details import detail_tables, label_columns
from clinicnum.annotations.report.sections.consensus_wording import rewording_said
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_kind import RESPONSE_JUDGEMENTS
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.rounded_figures import percent

_SHORT = {"nominal": "nominal", "ordinal": "ordinal", "interval": "interval", "set": "MASI"}
_CONSTANT = "a category that no label names, or every label, has no row"
_COLUMNS = (
    Column(key="name", label="Coefficient", kind="code"),
    Column(key="value", label="Value", kind="number"),
    Column(key="ci95", label="95 % interval", kind="interval"),
    Column(key="se", label="SE", kind="number"),
    Column(key="n_items", label="Generations", kind="count"),
    Column(key="n_annotators", label="Annotators", kind="count"),
    Column(key="how", label="Note", kind="note"),
)


def agreement_section(view: StudyView) -> Section:
    """One table per layer; coefficients that do not apply have a row with the reason."""
    layers = view.agreement.layers
    empty = [f"{layer.title}: {layer.undefined}." for layer in layers if layer.result is None]
    return Section(
        id="agreement",
        title="Do the annotators agree?",
        paragraphs=(
            "Judgements and codes on all items come first, with “none” as a category of its own; codes and "
            "severity among items that every annotator called a failure are conditional, and marked so. An "
            f"item of agreement is a generation: an instance, which is one "
            f"{_asked_as(view)}, counts once for each answer that was judged, here "
            f"{_units(view)}.{rewording_said(view)}"
            f"{_without_these(view)}",
            *empty,
        ),
        tables=(
            summary_table(layers, "agreement_summary", "Agreement at a glance", _same_judgements(view)),
            *(_table(layer) for layer in layers if layer.result is not None),
            *detail_tables(
                layers,
                templates_word(view.tables.instances),
                suggestions_left_out=bool(view.chosen.n_suggestions_open) and _by_chance(view),
            ),
        ),
    )


def _asked_as(view: StudyView) -> str:
    """What one instance is: a question, or one of its variants where answers to variants were drawn."""
    drawn = (view.instance(one.generation_id) for one in view.tables.inclusions)
    return "question or one variant of it" if any(one.variant for one in drawn) else "question"


def _by_chance(view: StudyView) -> bool:
    """Whether chance may have decided on which items suggestions were open."""
    return view.tables.design is None or view.tables.design.suggestions == "randomised"


def _units(view: StudyView) -> str:
    """Number of judged generations, and of the instances they answer."""
    keys = view.chosen.by_generation
    return (
        f"{how_many(len(keys), 'generation')} on "
        f"{how_many(len({view.question(key) for key in keys}), 'instance')}"
    )


def _without_these(view: StudyView) -> str:
    """Agreement on the response before the gold without the judgements in `StudyView.after_rewording`, and
    with them, as a sentence; empty if there are none.
    """
    with_them = view.agreement.layer("response_judgement").result
    if not view.after_rewording or with_them is None:
        return ""
    names = ("percent_agreement", "krippendorff_alpha_nominal")
    others = [
        Rating(item=key[0], annotator=key[1], label=one.response_judgement)
        for key, one in sorted(view.chosen.first.items())
        if key not in view.after_rewording
    ]
    if not others:
        return " These are all first judgements that count, so that agreement without them is not computed."
    without = agreement(others, scale="nominal", categories=RESPONSE_JUDGEMENTS, only=names)
    told = [
        "–" if agree.value is None else f"{percent(agree.value)} %, alpha {value_text(alpha)}"
        for agree, alpha in ([one.coefficient(name) for name in names] for one in (without, with_them))
    ]
    n = without.coefficient("percent_agreement").n_items
    return (
        f" Without these judgements percent agreement on the response before the gold is {told[0]} "
        f"({how_many(n, 'generation')} with at least two), with them {told[1]}."
    )


def _same_judgements(view: StudyView) -> str:
    """Whether the rows before and after the gold are of the same judgements, as a sentence; empty for
    scripts.
    """
    if view.chosen.scripted:
        return ""
    after = {
        (one.generation_id, one.annotator_id)
        for one in view.chosen.annotations
        if not view.chosen.is_locked(one)
    }
    if after == view.chosen.first.keys():
        return f" Rows before and after the gold are of the same {len(after)} judgements, first and last."
    return (
        f" Rows before the gold are of {len(view.chosen.first)} judgements, those after it of {len(after)}: "
        "their difference is not only what the gold changed."
    )


def summary_table(layers: Sequence[Layer], table_id: str, caption: str, more: str = "") -> Table:
    """One row per layer: percent agreement and Krippendorff's alpha for its scale.

    `more` is text added at the end of the table's note.
    """
    rows: list[tuple[Cell, ...]] = []
    for layer in layers:
        result = layer.result
        if result is None:
            rows.append((layer.title, None, None, None, None, None, None, layer.undefined))
            continue
        agree = result.coefficient("percent_agreement")
        alpha = headline(result)
        rows.append(
            (
                layer.title,
                alpha.n_items,
                agree.value,
                agree.ci95,
                _SHORT[result.population.scale],
                alpha.value,
                alpha.ci95,
                alpha.undefined or alpha.ci_method,
            )
        )
    return Table(
        id=table_id,
        caption=caption,
        note="Percent agreement, and Krippendorff's alpha on the layer's own scale. The note of a row is on "
        f"alpha and its interval.{more}{_of_others(rows)} Populations, and how intervals of percent "
        "agreement are made: below.",
        trace="the tables below",
        columns=(
            Column(key="layer", label="Layer"),
            Column(key="n_items", label="Generations", kind="count"),
            Column(key="percent_agreement", label="Agree", kind="share"),
            Column(key="percent_ci95", label="95 % interval", kind="share_interval"),
            Column(key="alpha", label="Alpha"),
            Column(key="value", label="Value", kind="number"),
            Column(key="ci95", label="95 % interval", kind="interval"),
            Column(key="how", label="Note", kind="note"),
        ),
        rows=tuple(rows),
        bar=("percent_agreement", "percent_ci95"),
    )


def _of_others(rows: Sequence[tuple[Cell, ...]]) -> str:
    """A sentence that rows with different n are of different generations; empty if all have the same n."""
    counts = {row[1] for row in rows if row[1] is not None}
    return " Rows whose n differ are of different generations, which alone may make them differ." * (
        len(counts) > 1
    )


def _table(layer: Layer) -> Table:
    result = layer.result
    if result is None:
        raise ValueError(f"layer {layer.name} has no result")
    population = result.population
    valued = [row for row in result.coefficients if "[" not in row.name or row.value is not None]
    shown = _varying(valued)
    subjects = f", {population.clusters} subjects" if population.clusters is not None else ""
    parts = [
        f"n = {population.items} generations, {population.annotators} annotators, {population.labels} "
        f"labels, {population.pairs} pairs{subjects}; scale {population.scale}{_categories(layer)}; "
        f"{population.rule}",
        *(f"left out: {row.n} {row.what}, {row.why}" for row in population.left_out),
        *population.notes,
        *["a row of one code is about that code alone, without its sub-codes"] * (population.scale == "set"),
        *[_CONSTANT] * (len(shown) < len(valued)),
    ]
    return Table(
        id=f"agreement_{layer.name}",
        caption=f"Agreement: {layer.title}",
        note="; ".join(parts) + ".",
        trace=f"annotations.csv: {label_columns(layer)}; generation_id is the item, annotator_id the "
        "annotator; scores.csv: subject_id",
        columns=_COLUMNS,
        value="value",
        detail=True,
        rows=tuple(_row(row) for row in shown),
    )


def _categories(layer: Layer) -> str:
    """The number of declared categories, on which chance agreement of some coefficients depends; empty for
    sets.
    """
    of = layer.result.population if layer.result is not None else None
    if of is None or of.scale == "set" or not of.categories:
        return ""
    return f" with {len(of.categories)} categories"


def _varying(rows: Sequence[CoefficientValue]) -> list[CoefficientValue]:
    """The rows without coefficients of single categories on which all agree by construction: those that no
    label names, or that every label names.
    """
    names = {row.name for row in rows}
    return [
        row
        for row in rows
        if "[" not in row.name or f"krippendorff_alpha_nominal[{row.name.partition('[')[2]}" in names
    ]


def _row(row: CoefficientValue) -> tuple[Cell, ...]:
    how = row.undefined or row.ci_method
    return row.name, row.value, row.ci95, row.se, row.n_items, row.n_annotators, how
