"""Details of agreement: weighted by the inverse chance of being drawn, of pairs of annotators, and with
alternative intervals; verbal strength in an appendix.
"""

from collections.abc import Sequence

from clinicnum.annotations.agreement.format_results import IN_PAIRS
from clinicnum.annotations.agreement.study_agreement import Layer
from clinicnum.annotations.agreement.supplementary_results import ITEM, SUBJECT
from clinicnum.annotations.report.report_content import Cell, Column, Section, Table
from clinicnum.annotations.report.study_view import StudyView

_LAYER = Column(key="layer", label="Layer")
_NAME = Column(key="name", label="Coefficient", kind="code")
_SHOWN = {*IN_PAIRS, "fleiss_kappa"}
"""The main coefficients; `clinicnum agreement --json` has all."""
_OF_HIDDEN = ", but not that of suggestions being hidden on it, which is taken to be the same for all"
LABELS = {
    "item_judgement": "item_judgement",
    "response_judgement": "response_judgement at revision 1, reference_known",
    "response_after_gold": "response_judgement",
    "primary": "primary",
    "labels": "labels",
    "primary_if_failure": "primary, response_judgement",
    "labels_if_failure": "labels, response_judgement",
    "severity_if_failure": "severity, response_judgement",
}
"""Layer -> the columns of annotations.csv that hold its labels."""


def label_columns(layer: Layer) -> str:
    """The columns of annotations.csv that hold a layer's labels, as text for the reader."""
    return LABELS.get(layer.name, f"{layer.name}{' at revision 1' * layer.blind}")


def _trace(layers: Sequence[Layer], rows: Sequence[tuple[Cell, ...]]) -> str:
    """The export columns of the layers in these rows."""
    shown = {row[0] for row in rows}
    names = [label_columns(layer).split(", ") for layer in layers if layer.title in shown]
    columns = ", ".join(dict.fromkeys(name for each in names for name in each))
    return (
        f"annotations.csv: {columns}; generation_id is the item, annotator_id the annotator; scores.csv: "
        "subject_id"
    )


def detail_tables(
    layers: Sequence[Layer], templates_word: str, *, suggestions_left_out: bool = False
) -> tuple[Table, ...]:
    """The detail tables that have rows.

    `templates_word` is what the report calls templates ("kinds of items" for a foreign benchmark).
    `suggestions_left_out`: some judgements were made with open suggestions and are not counted.
    """
    weighted = _weighted(layers, suggestions_left_out=suggestions_left_out)
    made = (weighted, _pairs(layers), _beside(layers, templates_word))
    return tuple(table for table in made if table.rows)


def _weighted(layers: Sequence[Layer], *, suggestions_left_out: bool) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            layer.title,
            one.name,
            layer.result.coefficient(one.name).value,
            one.value,
            one.ci95,
            one.n_items,
            one.undefined or one.ci_method,
        )
        for layer in layers
        if layer.result is not None
        for one in layer.result.weighted
        if one.name in _SHOWN
    ]
    return Table(
        id="agreement_weighted",
        caption="Agreement weighted by the inverse chance of being drawn",
        note="Unweighted figures are about the generations with judgements that count, weighted ones about "
        "all that these were drawn from, if those without such judgements are like them: each generation "
        "counts the inverse of its chance of being drawn; Krippendorff's small-sample term takes the number "
        "of labels, unweighted"
        f"{_OF_HIDDEN * suggestions_left_out}. n is given with each row.",
        trace=f"{_trace(layers, rows)}, inclusion_probability",
        columns=(
            _LAYER,
            _NAME,
            Column(key="unweighted", label="Unweighted", kind="number"),
            Column(key="weighted", label="Weighted", kind="number"),
            Column(key="ci95", label="95 % interval", kind="interval"),
            Column(key="n_items", label="Generations", kind="count"),
            Column(key="how", label="Note", kind="note"),
        ),
        rows=tuple(rows),
    )


def _pairs(layers: Sequence[Layer]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            layer.title,
            *pair.annotators,
            one.name,
            one.value,
            one.ci95,
            one.n_items,
            one.undefined or one.ci_method,
        )
        for layer in layers
        if layer.result is not None
        for pair in layer.result.pairwise
        for one in pair.coefficients
        if one.name in IN_PAIRS
    ]
    return Table(
        id="agreement_pairs",
        detail=True,
        caption="Agreement of each pair of annotators",
        note="On the generations that both labelled; n is given with each row.",
        trace=_trace(layers, rows),
        columns=(
            _LAYER,
            Column(key="one", label="Annotator", kind="code"),
            Column(key="other", label="and", kind="code"),
            _NAME,
            Column(key="value", label="Value", kind="number"),
            Column(key="ci95", label="95 % interval", kind="interval"),
            Column(key="n_items", label="Generations", kind="count"),
            Column(key="how", label="Note", kind="note"),
        ),
        value="value",
        rows=tuple(rows),
    )


def words_section(view: StudyView) -> Section:
    """The appendix with conventional words for levels of agreement."""
    table = _strength(view.agreement.layers)
    return Section(
        id="agreement_words",
        title="Appendix: words for the size of agreement",
        tables=(table,) if table.rows else (),
    )


def _strength(layers: Sequence[Layer]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            layer.title,
            one.name,
            layer.result.coefficient(one.name).value,
            layer.result.coefficient(one.name).n_items,
            one.landis_koch,
            one.gwet,
            one.probability,
            one.undefined,
        )
        for layer in layers
        if layer.result is not None
        for one in layer.result.strength
        if one.name in _SHOWN
    ]
    return Table(
        id="agreement_strength",
        detail=True,
        caption="What the agreement may be called",
        note="Landis and Koch (1977) name the step on which the value stands, rounded to two decimals, as "
        "their steps are (0.41 to 0.60, 0.61 to 0.80). Gwet (2014) names the best step that the unrounded "
        "value reaches with 95 % certainty, taken as normal with its standard error and within -1 and 1; "
        "the probability is that of this step or a better one. Both are conventions; the interval says more.",
        trace="the tables of the layers",
        columns=(
            _LAYER,
            _NAME,
            Column(key="value", label="Value", kind="number"),
            Column(key="n_items", label="Generations", kind="count"),
            Column(key="landis_koch", label="Landis-Koch"),
            Column(key="gwet", label="Gwet"),
            Column(key="probability", label="Probability", kind="number"),
            Column(key="how", label="Note", kind="note"),
        ),
        rows=tuple(rows),
    )


def _other_ways(rows: Sequence[tuple[Cell, ...]], templates_word: str) -> str:
    """The alternative methods used, by the clusters that the rows name."""
    units = {row[2] for row in rows}
    told = {
        SUBJECT: "subjects drawn anew (cluster bootstrap)",
        ITEM: "items as before, with ends on another scale",
    }
    ways = [said for unit, said in told.items() if unit in units]
    ways += [f"{templates_word} in the place of subjects"] * bool(units - told.keys())
    return f": {'; '.join(ways)}" if ways else ""


def _beside(layers: Sequence[Layer], templates_word: str) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (layer.title, one.name, one.by, one.clusters, one.se, one.ci95, one.ci_method)
        for layer in layers
        if layer.result is not None
        for one in layer.result.beside
        if one.name in _SHOWN
    ]
    return Table(
        id="agreement_other_intervals",
        detail=True,
        caption="Other intervals for the same agreement",
        note="A sensitivity analysis, by the method that each row names"
        f"{_other_ways(rows, templates_word)}. The interval of record is the one above, of the same items.",
        trace=f"{_trace(layers, rows)}, template_id",
        columns=(
            _LAYER,
            _NAME,
            Column(key="by", label="By"),
            Column(key="clusters", label="Clusters", kind="count"),
            Column(key="se", label="SE", kind="number"),
            Column(key="ci95", label="95 % interval", kind="interval"),
            Column(key="how", label="Note", kind="note"),
        ),
        rows=tuple(rows),
    )
