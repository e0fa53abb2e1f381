"""A study's agreement as HTML: what one look tells on top, the layers below. No Gradio, no database."""

from collections.abc import Sequence
from math import floor

from markupsafe import Markup

from clinicnum.annotations.agreement.format import (
    alternative_interval_table,
    ends_text,
    interval_text,
    pair_table,
    thin_labels,
    value_text,
    weighted_table,
)
from clinicnum.annotations.agreement.layers import Layer, StudyAgreement
from clinicnum.annotations.agreement.types import AgreementResult, CoefficientValue, Population
from clinicnum.annotations.reliability.precision_outlook import PrecisionOutlook
from clinicnum.annotations.types import StudyStatus
from clinicnum.db.work.studies.live_agreement import StudyState
from clinicnum.ui.components.html import MISSING, fold, framed, note, table

STATUS_WORDS: dict[StudyStatus, str] = {
    "open": "open: figures move with every judgement",
    "paused": "paused",
    "closed": "closed: these figures are final",
}
WIDTH, HEIGHT, PAD = 220, 30, 8


def population_line(population: Population) -> str:
    """How much the figures are about, and what was left out; the rule that chose it is told apart."""
    parts = [
        f"{population.items} items",
        f"{population.annotators} annotators",
        f"{population.labels} labels",
        f"{population.pairs} pairs",
    ]
    if population.clusters is not None:
        parts.append(f"{population.clusters} subjects")
    left_out = "; ".join(f"{one.n} {one.what}: {one.why}" for one in population.left_out) or "nothing"
    return f"{', '.join(parts)}. Left out: {left_out}."


def simulated_note(simulated: bool) -> Markup:
    """The mark of figures that rest on scripted annotators; nothing for people."""
    text = "simulated: these labels were made by scripted stand-ins, not by people"
    return note(text, "warn") if simulated else Markup("")


# ---------- one look


def axis_start(outlooks: Sequence[PrecisionOutlook]) -> float:
    """Where all plots of a page begin, so that they compare: 0, or the step of 0.2 below the lowest end."""
    figures = [one.figure for one in outlooks if one.figure is not None]
    ends: list[float] = [end for one in figures for end in (one.value, *(one.ci95 or ())) if end is not None]
    lowest = min(0.0, *ends) if ends else 0.0
    return max(floor(5 * lowest) / 5, -1.0)


def interval_plot(name: str, value: float, ends: tuple[float, float] | None, low: float) -> Markup:
    """The value and its interval on a line from `low` to 1."""

    def at(point: float) -> str:
        return f"{PAD + (max(point, low) - low) / (1 - low) * (WIDTH - 2 * PAD):.1f}"

    ticks = Markup("").join(
        Markup('<line x1="{0}" x2="{0}" y1="6" y2="14" class="ag-tick"/>').format(at(1 - step / 5))
        for step in range(round(5 * (1 - low)) + 1)
    )
    bar = Markup("")
    if ends is not None:
        bar = Markup('<line x1="{}" x2="{}" y1="10" y2="10" class="ag-reach"/>').format(*map(at, ends))
    numbers = Markup("").join(
        Markup('<text x="{}" y="26" class="ag-number">{:.0f}</text>').format(at(number), number)
        for number in (0.0, 1.0)
    )
    spoken = f", 95 % interval {ends_text(ends)}" if ends else ", no interval"
    return Markup(
        '<svg class="ag-plot" role="img" viewBox="0 0 {w} {h}" width="{w}" height="{h}" aria-label="{label}">'
        '<line x1="{left}" x2="{right}" y1="10" y2="10" class="ag-axis"/>{ticks}{bar}'
        '<circle cx="{at}" cy="10" r="4.5" class="ag-point"/>{numbers}</svg>'
    ).format(
        w=WIDTH,
        h=HEIGHT,
        label=f"{name} {value:.2f}{spoken}, on a line from {low:g} to 1",
        left=at(low),
        right=at(1.0),
        ticks=ticks,
        bar=bar,
        at=at(value),
        numbers=numbers,
    )


def outlook_text(one: PrecisionOutlook) -> str:
    """What a layer's figure is, what it may be called, and what more labelling would bring."""
    if one.figure is None or one.figure.value is None:
        return f"Undefined: {one.why}."
    said = [f"alpha {one.figure.value:.2f}"]
    if one.figure.ci95 is not None:
        said[0] += f" (95 % {one.figure.ci95[0]:.2f} to {one.figure.ci95[1]:.2f})"
    if one.percent is not None and one.percent.value is not None:
        said.append(f"{100 * one.percent.value:.0f} % of pairs agree")
    thin = thin_labels(one.figure)
    if thin:
        said.append(thin)
    return f"{', '.join(said)}; {one.figure.n_items} items. {more_text(one)}"


def more_text(one: PrecisionOutlook) -> str:
    """What the wanted half-width takes."""
    wanted = f"a half-width of {one.wanted:g}"
    if one.half_width is None:
        return f"Not enough yet for an interval: {one.why}."
    if one.more is None:
        return f"Half-width {one.half_width:.2f}; no plan for {wanted}: {one.why}."
    if one.more == 0 and one.half_width <= one.wanted:
        return f"Precise enough: half-width {one.half_width:.2f}, wanted {one.wanted:g}."
    if one.more == 0:
        return f"Half-width {one.half_width:.2f}; the planner expects {wanted} from about as many items."
    of = " that all call a failure" if one.layer.conditional else ""
    how = "" if one.planned else ", if half-widths go with 1/√items"
    return f"About {one.more:,} more items{of} for {wanted}{how}."


def verdict(state: StudyState, outlooks: Sequence[PrecisionOutlook]) -> str:
    """Whether more labelling is worth it, by the response judgement and the primary class."""
    asked = [one for one in outlooks if one.layer.name in ("response_judgement", "primary")]
    if any(one.half_width is None for one in asked):
        return "Too early to say: go on labelling."
    wide = [one for one in asked if one.half_width is not None and one.half_width > one.wanted]
    if not wide:
        return f"Enough labels for intervals of ± {asked[0].wanted:g}: more would change little."
    known = [one.more for one in wide if one.more is not None]
    if len(known) < len(wide):
        return "More labels would narrow the intervals; how many cannot be said yet."
    left = state.items - state.filled
    if left >= max(known):
        return f"Worth going on: the {left} items still open here would bring ± {wide[0].wanted:g}."
    here = f"{left} of this study are still open" if left else "this study has none left"
    return f"More items would pay: about {max(known):,} more for ± {wide[0].wanted:g}, and {here}."


def summary_view(state: StudyState, outlooks: Sequence[PrecisionOutlook]) -> Markup:
    """What one look tells: a verdict, how far the study is, and a line for each layer."""
    judged = "judgement" if state.overlap == 1 else "judgements"
    low = axis_start(outlooks)
    lines = Markup("").join(_outlook_row(one, low) for one in outlooks)
    return Markup(
        '<section class="ag-look" aria-labelledby="ag-look"><h2 id="ag-look">Is more labelling worth it?</h2>'
        '<p class="ag-verdict">{}</p>'
        '<p class="cn-muted">{} of {} items are filled to {} {}. The study is {}.</p>'
        '<progress value="{}" max="{}" aria-label="Items filled"></progress><ul>{}</ul></section>'
    ).format(
        verdict(state, outlooks),
        state.filled,
        state.items,
        state.overlap,
        judged,
        STATUS_WORDS[state.status],
        state.filled,
        max(state.items, 1),
        lines,
    )


def _outlook_row(one: PrecisionOutlook, low: float) -> Markup:
    figure = one.figure
    plot = (
        Markup('<span class="ag-none" aria-hidden="true">–</span>')
        if figure is None or figure.value is None
        else interval_plot("Alpha", figure.value, figure.ci95, low)
    )
    return Markup('<li data-outlook="{}"><h3>{}</h3>{}<p>{}</p></li>').format(
        one.layer.name, one.layer.title, plot, outlook_text(one)
    )


# ---------- the layers


def _row(one: CoefficientValue) -> tuple[str, str, str, int, str]:
    reason = one.undefined or one.ci_method or ""
    return (one.name, value_text(one), interval_text(one) or MISSING, one.n_items, reason)


def layer_view(layer: Layer) -> Markup:
    """One layer as a heading, its population, and its coefficients; per category below a fold."""
    heading = Markup('<section data-layer="{}"><h2>{}{}</h2>').format(
        layer.name, layer.title, " (conditional)" if layer.conditional else ""
    )
    if layer.result is None:
        return heading + note(f"Undefined: {layer.undefined}.") + Markup("</section>")
    overall = [one for one in layer.result.coefficients if "[" not in one.name]
    by_category = [one for one in layer.result.coefficients if "[" in one.name]
    undefined = [one for one in overall if one.value is None]
    population = layer.result.population
    rules = Markup("").join(
        Markup('<p class="cn-muted">{}.</p>').format(one)
        for one in (f"Labels: {population.rule}", *population.notes)
    )
    defined = [one for one in overall if one.value is not None]
    return (
        heading
        + Markup('<p class="cn-muted">{}</p>').format(population_line(population))
        + fold(f"All coefficients ({len(defined)})", rules + _table(f"{layer.title}: coefficients", defined))
        + fold(f"Undefined here, with the reason ({len(undefined)})", _table(layer.title, undefined))
        + fold("By category, one against the rest", _table(f"{layer.title}: by category", by_category))
        + Markup("</section>")
        + beside_view(layer.title, layer.result)
    )


def beside_view(title: str, result: AgreementResult) -> Markup:
    """What stands beside the coefficients, below folds; nothing for what there is none of."""
    without: list[str] = []
    folds = (
        ("Pairs of annotators, on the items that both labelled", (*pair_table(result), without)),
        ("Weighted by the inverse chance of being drawn", weighted_table(result)),
        ("Other intervals for the same values, as a sensitivity", alternative_interval_table(result)),
    )
    return Markup("").join(
        fold(summary, plain(f"{title}: {summary.lower()}", columns, rows, notes))
        for summary, (columns, rows, notes) in folds
        if rows
    )


def plain(caption: str, columns: Sequence[str], rows: Sequence[Sequence[object]], notes: list[str]) -> Markup:
    """A table with remarks below it."""
    heads = [name[:1].upper() + name[1:] for name in columns]
    lines = Markup("").join(Markup('<p class="cn-muted">{}</p>').format(line) for line in notes)
    return table(caption, heads, rows) + lines


def _table(caption: str, coefficients: list[CoefficientValue]) -> Markup:
    columns = ("Coefficient", "Value", "95 % interval", "Items", "Method, or why undefined")
    if not coefficients:
        return note("No coefficient is defined on these labels yet.")
    return table(caption, columns, [_row(one) for one in coefficients], prose=(4,))


def look_view(
    study: str, simulated: bool, state: StudyState | None = None, outlooks: Sequence[PrecisionOutlook] = ()
) -> str:
    """The upper half of the page: whose figures, and with the study's state what one look tells."""
    return framed(
        simulated_note(simulated)
        + Markup("<h1>Agreement in {}</h1>").format(study)
        + (summary_view(state, outlooks) if state is not None else Markup(""))
    )


def layers_view(result: StudyAgreement) -> str:
    """The lower half: every coefficient of every layer."""
    return framed(Markup("").join(layer_view(layer) for layer in result.layers))
