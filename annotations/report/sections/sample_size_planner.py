"""The section on planning: how many items and annotators a next study needs, from the labels of this one."""

from collections.abc import Sequence

from clinicnum.annotations.reliability.sample_size_planner import DRAWS, MOST_SIMULATED, Plan, plan
from clinicnum.annotations.report.report_content import Cell, Column, Gap, Section, Table
from clinicnum.annotations.report.sections.annotator_table_helpers import asked
from clinicnum.annotations.report.sections.consensus_wording import last_responses
from clinicnum.annotations.report.study_view import StudyView

COEFFICIENT = "krippendorff_alpha_nominal"
WANTED = (0.1, 0.05)
TITLE = "What would a next study take?"


def planner_section(view: StudyView) -> Section:
    """Plans for agreement on the response and on the primary class."""
    if not view.chosen.by_generation:
        gap = Gap(what="What a next study would take", why="no judgement has been submitted yet")
        return Section(id="planner", title=TITLE, gaps=(gap,))
    return Section(
        id="planner",
        title=TITLE,
        paragraphs=(
            f"Simulated studies ({DRAWS:,} for each figure) draw subjects of this study anew, with their "
            "items and with as many of the labels on each as there would be annotators; generations with "
            "fewer labels than that are left out. They take for granted that further items and annotators "
            "are like these.",
        ),
        tables=(planner_table(view, WANTED),),
    )


def planner_table(view: StudyView, wanted: Sequence[float]) -> Table:
    """The plans for these half-widths, for two annotators per item up to the most that any item has.

    Raises InputError for a half-width that is not between 0 and 1.
    """
    most = max((len(group) for group in view.chosen.by_generation.values()), default=0)
    rows: list[tuple[Cell, ...]] = []
    for question in asked(view)[1:]:
        found = plan(
            view.ballots[question.name],
            coefficient=COEFFICIENT,
            categories=question.categories,
            subjects=view.subjects,
            wanted=wanted,
            annotators=range(2, max(most, 2) + 1),
        )
        rows += [
            _row(question.title, found[at : at + len(wanted)]) for at in range(0, len(found), len(wanted))
        ]
    return _table(view, rows, wanted)


def _row(title: str, plans: Sequence[Plan]) -> tuple[Cell, ...]:
    """The plans for one number of annotators; half-widths are rounded to the precision of the simulation."""
    first = plans[0]
    now = None if first.present is None else round(first.present, 4)
    sizes = [size for one in plans for size in (one.items, one.subjects)]
    reasons = dict.fromkeys(one.undefined for one in plans if one.undefined)
    return title, first.annotators, now, *sizes, "; ".join(reasons) or None


def _table(view: StudyView, rows: Sequence[tuple[Cell, ...]], wanted: Sequence[float]) -> Table:
    named = [f"{one:.3f}".removesuffix("0") for one in wanted]
    sizes = [
        Column(key=f"{what}_for_{one}", label=f"{what.capitalize()} for ±{one}", kind="count")
        for one in named
        for what in ("items", "subjects")
    ]
    return Table(
        id="planner",
        caption="Generations and annotators for a wanted precision of Krippendorff's alpha",
        note="Unit: generations (items) and their subjects. “Now”: the half-width of the 95 % interval to "
        f"expect from this study with that many annotators; then what half-widths of {' and '.join(named)} "
        f"take. By {DRAWS:,} simulations a half-width is known to about a twentieth where labels are rare, "
        "else better, the numbers that follow from it less exactly. It is t times "
        "the standard deviation between simulated studies; the interval of this study's own coefficient is "
        "made otherwise (a jackknife) and may be wider, most with few subjects; "
        f"over {MOST_SIMULATED:,} subjects half-widths go with 1 / sqrt(subjects), and are not simulated."
        f"{last_responses(view)}",
        trace="annotations.csv: generation_id, annotator_id, response_judgement, primary; scores.csv: "
        "subject_id",
        columns=(
            Column(key="question", label="Of"),
            Column(key="annotators", label="Annotators", kind="count"),
            Column(key="now", label="Now, ±", kind="number"),
            *sizes,
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
    )
