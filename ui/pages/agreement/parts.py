"""What stands behind the agreement page's figures, computed when it is asked for: one view a part."""

from collections.abc import Callable, Sequence
from itertools import combinations

from markupsafe import Markup

from clinicnum.annotations.agreement.format import HEADLINE
from clinicnum.annotations.agreement.layers import Layer
from clinicnum.annotations.reliability.confusion import Confusion, confusion
from clinicnum.annotations.reliability.controls import NO_CONTROLS
from clinicnum.annotations.report.labels_view import LabelsView
from clinicnum.annotations.report.sections.annotators import annotators_section
from clinicnum.annotations.report.sections.blind import first_and_last, transitions_table
from clinicnum.annotations.report.sections.controls import controls_table
from clinicnum.annotations.report.sections.planner import planner_table
from clinicnum.annotations.report.sections.remarks import asked, spoken
from clinicnum.annotations.report.sections.settlement import differs_table, settled_table
from clinicnum.ui.components.html import MISSING, note
from clinicnum.ui.components.report_table import report_table
from clinicnum.ui.pages.agreement.view import beside_view

MOST_CONFUSED = 5


def pairs_part(view: LabelsView) -> Markup:
    """For each layer a matrix of annotators; strength and other intervals below folds."""
    made = [
        _pair_matrix(layer) + beside_view(layer.title, layer.result)
        for layer in view.agreement.layers
        if layer.result is not None
    ]
    return Markup("").join(made) or note("No judgement yet.")


def _pair_matrix(layer: Layer) -> Markup:
    if layer.result is None or not layer.result.pairwise:
        return Markup("<h3>{}</h3>").format(layer.title) + note("One annotator so far: there is no pair.")
    name = HEADLINE[layer.result.population.scale]
    cells: dict[tuple[str, str], Markup] = {}
    for pair in layer.result.pairwise:
        one = next(value for value in pair.coefficients if value.name == name)
        text = MISSING if one.value is None else f"{one.value:.2f}"
        why = Markup(' title="{}"').format(one.undefined) if one.undefined else Markup("")
        cells[pair.annotators] = Markup(
            '<td class="{}"{}>{}<small class="ag-under">n = {}</small></td>'
        ).format(_shade(one.value), why, text, one.n_items)
    names = sorted({who for pair in cells for who in pair}, key=lambda who: (len(who), who))
    both = {**cells, **{(b, a): cell for (a, b), cell in cells.items()}}
    return matrix(
        f"{layer.title}: alpha of each pair, on the items that both labelled",
        names,
        lambda row, column: both.get((row, column), Markup('<td class="ag-self">·</td>')),
    )


def _shade(value: float | None) -> str:
    """A step of five; the number beside it says the same."""
    return "ag-none" if value is None else f"ag-step{min(max(int(value * 5), 0), 4)}"


def matrix(caption: str, names: Sequence[str], cell: Callable[[str, str], Markup]) -> Markup:
    """A square table; `cell` gives the whole td of (row, column)."""
    head = Markup("").join(Markup('<th scope="col">{}</th>').format(spoken(name)) for name in names)
    body = Markup("").join(
        Markup('<tr><th scope="row">{}</th>{}</tr>').format(
            spoken(row), Markup("").join(cell(row, column) for column in names)
        )
        for row in names
    )
    return Markup(
        '<div class="cn-table-wrap" tabindex="0" role="region" aria-label="{caption}">'
        '<table class="cn-table ag-matrix"><caption>{caption}</caption>'
        "<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    ).format(caption=caption, head=head, body=body)


def confusion_part(view: LabelsView) -> Markup:
    """For each question, which labels two annotators gave the same item."""
    made = Markup("")
    for question in asked(view):
        found = confusion(view.ballots[question.name])
        made += Markup("<h3>{}</h3>").format(question.title)
        made += _confused(question.title, question.categories, found, view)
    return made


def _confused(title: str, categories: Sequence[str], found: Confusion, view: LabelsView) -> Markup:
    if not found.total:
        return note("No item has two labels yet.")
    used = [one for one in categories if any(found.between(one, other) for other in categories)]
    lines = Markup("").join(
        Markup("<li>{} against {}: {} of {} pairs</li>").format(
            view.names.get(a, spoken(a)), view.names.get(b, spoken(b)), n, found.total
        )
        for a, b, n in found.most_frequent(MOST_CONFUSED)
    )
    apart = sum(found.between(a, b) for a, b in combinations(used, 2))
    most = max([found.between(a, b) for a, b in combinations(used, 2)], default=0)

    def cell(row: str, column: str) -> Markup:
        n = found.between(row, column)
        shade = "ag-self" if row == column else f"ag-off{0 if not most else min(4 * n // most, 4)}"
        return Markup('<td class="{}">{}</td>').format(shade, n)

    return (
        (Markup('<ol class="ag-list">{}</ol>').format(lines) if lines else note("Every pair agrees."))
        + matrix(f"{title}: pairs of labels on the same item, {found.total} in all", used, cell)
        + Markup('<p class="cn-muted">On the diagonal both agree; {} pairs do not. Unit: pairs.</p>').format(
            apart
        )
    )


def annotator_part(*ids: str) -> Callable[[LabelsView], Markup]:
    """The report's tables of these ids on the annotators, and why one is not there."""

    def part(view: LabelsView) -> Markup:
        if not view.chosen.annotations:
            return note("No judgement yet.")
        section = annotators_section(view)
        tables = [report_table(table) for table in section.tables if table.id in ids]
        gaps = [note(f"{gap.what}: {gap.why}.") for gap in section.gaps]
        return Markup("").join(tables) or Markup("").join(gaps)

    return part


def blind_part(view: LabelsView) -> Markup:
    """What annotators said before gold and score were shown, and after."""
    pairs = first_and_last(view)
    return (
        report_table(transitions_table(pairs, scripted=view.chosen.scripted))
        if pairs
        else note("No judgement yet.")
    )


def controls_part(view: LabelsView) -> Markup:
    """Every annotator against the references."""
    if not view.controls:
        return note(f"No figure: {NO_CONTROLS}.")
    return report_table(controls_table(view.controls))


def consensus_part(view: LabelsView) -> Markup:
    """What the judgements come to by the view's consensus, with the other one beside it."""
    if not view.chosen.by_generation:
        return note("No judgement yet.")
    return Markup("").join(map(report_table, (settled_table(view), *differs_table(view))))


def planner_part(view: LabelsView, wanted: float) -> Markup:
    """What a half-width takes. Raises InputError for one that is not between 0 and 1."""
    if not view.chosen.by_generation:
        return note("No plan: no judgement has been submitted yet.")
    return report_table(planner_table(view, (wanted,)))


PARTS: dict[str, tuple[str, Callable[[LabelsView], Markup]]] = {
    "pairs": ("Pairs of annotators", pairs_part),
    "confusion": ("Labels confused", confusion_part),
    "blind": ("First and last judgements", blind_part),
    "others": (
        "Each against the others",
        annotator_part("annotators_against_others", "annotators_confusion"),
    ),
    "drift": ("Over time", annotator_part("annotators_drift", "annotators_time")),
    "repeats": ("Each against themselves", annotator_part("annotators_repeats")),
    "controls": ("Control items", controls_part),
}
"""Key -> title and view; the planner, which takes a half-width, stands apart."""
WITH_EVERY_REVISION = ("drift",)
"""Parts that look at when a judgement was first saved."""
