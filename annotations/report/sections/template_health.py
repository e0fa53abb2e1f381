"""The section on question templates that need review: doubted, contested, or without discrimination."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from clinicnum.annotations.report.question_summary import made_elsewhere, questions_again, which_items
from clinicnum.annotations.report.report_content import Cell, Column, Section, Table
from clinicnum.annotations.report.sections.share_cells import figure_cells, figure_columns, remarks
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.item_dimensions import kind_name
from clinicnum.robustness import Answer
from clinicnum.stats.clustered_intervals import WILSON, Subjects
from clinicnum.stats.interval_estimate import share_of
from clinicnum.stats.jackknife import how_many
from clinicnum.types import Instance

MOST_NAMED = 8


@dataclass
class _Health:
    """The counts of one template."""

    instances: set[str] = field(default_factory=set)
    flagged: set[str] = field(default_factory=set)
    headline: list[Answer] = field(default_factory=list)
    judged: int = 0
    doubts: Counter[str] = field(default_factory=Counter)
    """Number of generations whose item somebody called valid, gold_wrong or ambiguous."""
    doubted_items: set[str] = field(default_factory=set)
    """Instances that somebody called wrong or ambiguous, or that have an open or upheld contest."""
    contests: Counter[str] = field(default_factory=Counter)
    """Number of contests by status."""

    @property
    def doubted(self) -> int:
        return len(self.doubted_items)


def template_section(view: StudyView) -> Section:
    """One row per template, the most doubted first."""
    found = _health(view)
    ordered = sorted(found.items(), key=lambda entry: (-entry[1].doubted, entry[0]))
    names = _kind_names(view.tables.instances)
    doubted = [f"{names[kind]} ({one.doubted})" for kind, one in ordered if one.doubted]
    named = "; ".join(doubted)
    said = f" (how many in brackets): {named}" if doubted else ""
    elsewhere = made_elsewhere(view.tables.instances)
    kinds = how_many(len(found), "kind" if elsewhere else "template")
    whose = " of items (they were made elsewhere, not from clinicnum's templates)" if elsewhere else ""
    have = "has" if len(doubted) == 1 else "have"
    return Section(
        id="templates",
        title="Are the items sound?" if elsewhere else "Are the templates sound?",
        paragraphs=(
            f"{len(doubted)} of {kinds}{whose} {have} an item that an annotator calls wrong or "
            f"ambiguous in the main round, or that has an open or upheld contest from any round{said}. "
            "An item here is an instance, however many answers were judged."
            f"{questions_again(view.tables.instances)}",
            *([] if elsewhere else [_doubts_said(view, found)]),
        ),
        tables=(_table(view, ordered, elsewhere=elsewhere),),
    )


def _kind_names(instances: Iterable[Instance]) -> dict[str, str]:
    """Template -> its id, after the calculator that all its items ask for, if they ask for one."""
    names: dict[str, set[str]] = defaultdict(set)
    for one in instances:
        names[one.template_id].add(kind_name(one))
    return {
        kind: f"{next(iter(named))}, {kind}" if len(named) == 1 and named != {kind} else kind
        for kind, named in names.items()
    }


def _doubts_said(view: StudyView, asked: Collection[str]) -> str:
    """How many of the templates used are not proven or not reviewed, according to the benchmark's meta."""
    told = view.tables.benchmark.get("doubts")
    if not isinstance(told, Mapping):
        return "The benchmark does not say which templates are proven to ask what they compute, or reviewed."
    unproven, unreviewed = (_named(told.get(doubt), asked) for doubt in ("unproven", "unreviewed"))
    names = (
        f" ({', '.join(unproven[:MOST_NAMED])}{', ...' * (len(unproven) > MOST_NAMED)})" if unproven else ""
    )
    return (
        f"{len(unproven)} of {len(asked)} templates {'has' if len(unproven) == 1 else 'have'} a "
        f"wording that is not proven to ask what the template computes{names}; {len(unreviewed)} "
        f"{'was' if len(unreviewed) == 1 else 'were'} not reviewed by experts."
    )


def _named(told: object, asked: Collection[str]) -> list[str]:
    return [one for one in sorted(asked) if one in told] if isinstance(told, list) else []


def _health(view: StudyView) -> Mapping[str, _Health]:
    found: dict[str, _Health] = defaultdict(_Health)
    for one in view.tables.instances:
        health = found[one.template_id]
        health.instances.add(one.instance_id)
        if one.flags:
            health.flagged.add(one.instance_id)
    for run in view.runs:
        for answer in run.headline:
            found[answer.instance.template_id].headline.append(answer)
    for generation_id, doubts in _said_of(view).items():
        health = found[view.instance(generation_id).template_id]
        health.judged += 1
        for doubt in doubts:
            health.doubts[doubt] += 1
        if doubts & {"gold_wrong", "ambiguous"}:
            health.doubted_items.add(view.question(generation_id))
    for contest in view.contests:
        instance = view.instance(contest.generation_id)
        found[instance.template_id].contests[contest.status] += 1
        if contest.status in ("open", "upheld"):
            found[instance.template_id].doubted_items.add(instance.instance_id)
    return found


def _said_of(view: StudyView) -> Mapping[str, set[str]]:
    """Generation -> annotators' judgements of its item, whether suggestions were visible or not."""
    said: dict[str, set[str]] = defaultdict(set)
    for one, _ in view.last_judgements[0]:
        said[one.generation_id].add(one.item())
    return said


def _table(view: StudyView, ordered: Sequence[tuple[str, _Health]], *, elsewhere: bool) -> Table:
    either_way = ", with suggestions open or without"
    return Table(
        id="template_health",
        caption="Health of the items" if elsewhere else "Health of the templates",
        note=("" if elsewhere else "Flagged: instances that do not discriminate (V7). ")
        + "Accuracy: generations of all models, so that each weighs by its number of answers"
        f"{which_items(view.tables.instances)}; 0 or "
        "100 % tells models apart no better than no question. "
        f"Judged: generations{either_way * bool(view.chosen.n_suggestions_open)}; "
        "gold wrong, ambiguous: those of which at least one annotator says so. Open contests, upheld: "
        "contests, of which a question may have several. "
        f"Interval: {WILSON}.",
        trace="scores.csv: template_id, instance_id, subject_id, status, lenient, variant, flags; "
        "annotations.csv: item_judgement, generation_id"
        + "; contests.csv: instance_id, status"
        * bool(view.contests),
        detail=True,
        columns=(
            Column(key="template", label="Kind of item" if elsewhere else "Template", kind="code"),
            Column(key="instances", label="Instances", kind="count"),
            *([] if elsewhere else [Column(key="flagged", label="Flagged", kind="count")]),
            *figure_columns("accuracy", "Accuracy"),
            Column(key="judged", label="Judged", kind="count"),
            Column(key="gold_wrong", label="Gold wrong", kind="count"),
            Column(key="ambiguous", label="Ambiguous", kind="count"),
            Column(key="open", label="Open contests", kind="count"),
            Column(key="upheld", label="Upheld", kind="count"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(_row(name, one, elsewhere=elsewhere) for name, one in ordered),
    )


def _row(name: str, one: _Health, *, elsewhere: bool) -> tuple[Cell, ...]:
    accuracy = share_of(
        Subjects.of(answer.subject for answer in one.headline),
        np.array([answer.right for answer in one.headline], dtype=float),
        without="no answer that counts",
    )
    return (
        name,
        len(one.instances),
        *([] if elsewhere else [len(one.flagged)]),
        *figure_cells(accuracy),
        one.judged,
        one.doubts["gold_wrong"],
        one.doubts["ambiguous"],
        one.contests["open"],
        one.contests["upheld"],
        remarks(accuracy),
    )
