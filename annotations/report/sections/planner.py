"""How many items and annotators a next study takes, from the labels of this one."""

from annotations.reliability.planner import DRAWS, Plan, plan
from annotations.report.model import Column, Section, Table
from annotations.report.sections.remarks import asked, labels_by_item, subjects_of
from annotations.report.view import StudyView

COEFFICIENT = "krippendorff_alpha_nominal"
WANTED = (0.1, 0.05)
TITLE = "What would a next study take?"


def planner_section(view: StudyView) -> Section:
    """Plans for the agreement on the response and on the primary class."""
    if not view.chosen.by_generation:
        return Section(
            id="planner", title=TITLE, paragraphs=("Cannot be said: no judgement has been submitted yet.",)
        )
    plans: list[tuple[str, Plan]] = []
    most = max((len(group) for group in view.chosen.by_generation.values()), default=0)
    subjects = subjects_of(view)
    for question in asked(view)[1:]:
        found = plan(
            labels_by_item(view, question),
            coefficient=COEFFICIENT,
            categories=question.categories,
            subjects=subjects,
            wanted=WANTED,
            annotators=range(2, max(most, 2) + 1),
        )
        plans += [(question.title, one) for one in found]
    return Section(
        id="planner",
        title=TITLE,
        paragraphs=(
            f"Simulated studies ({DRAWS:,} for each row) draw subjects of this study anew, with their items "
            "and with as many of the labels on each as there would be annotators. They take for granted that "
            "further items and annotators are like these.",
        ),
        tables=(_table(plans),),
    )


def _rounded(width: float | None) -> float | None:
    """To as many decimals as a simulation is worth."""
    return None if width is None else round(width, 4)


def _table(plans: list[tuple[str, Plan]]) -> Table:
    return Table(
        id="planner",
        caption="Items and annotators for a wanted precision of Krippendorff's alpha",
        note="Unit: generations (items) and their subjects. “Now”: the half-width of the 95 % interval to "
        "expect from this study with that many annotators; then what the wanted half-width takes.",
        trace="annotations.csv: generation_id, annotator_id, response_judgement, primary",
        columns=(
            Column(key="question", label="Of"),
            Column(key="annotators", label="Annotators", kind="count"),
            Column(key="now", label="Now", kind="number"),
            Column(key="wanted", label="Wanted", kind="number"),
            Column(key="items", label="Items", kind="count"),
            Column(key="subjects", label="Subjects", kind="count"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(
            (title, one.annotators, _rounded(one.present), one.wanted, one.items, one.subjects, one.undefined)
            for title, one in plans
        ),
        value="items",
    )
