"""How each criterion of a study was ticked: which are of no use, and which ticks predate their text."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import shorten

from clinicnum.annotations.agreement.criterion_agreement import Tick
from clinicnum.annotations.criteria.criterion import Criteria, Criterion, criterion_of_key
from clinicnum.annotations.criteria.criterion_diagnostics import SPLIT_FROM, CriterionUse, criterion_use
from clinicnum.annotations.judgement import CriterionVerdict
from clinicnum.annotations.report.report_content import Column, Table
from clinicnum.annotations.report.sections.consensus_wording import taken_out_trace
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation

LONGEST_TEXT = 160
MOST_ROWS = 100
"""Rows of a table on the page; longer ones are in the files."""
NAMED = (Column(key="item", label="Item", once=True), Column(key="criterion", label="Criterion"))
_TEXT = Column(key="text", label="Text")
Key = tuple[str, str]
"""Item (empty: every item) and id of a criterion."""


@dataclass(frozen=True)
class CriteriaTicks:
    """The ticks that count: those of items that no upheld contest excluded."""

    criteria: Criteria
    last: tuple[tuple[Annotation, tuple[Criterion, ...]], ...]
    """Annotations that count and have ticks, each with the criteria of its item."""
    first: tuple[Tick, ...]
    """Ticks of first judgements."""


def criteria_ticks(view: StudyView) -> CriteriaTicks:
    """The ticks that count in a study."""
    criteria = Criteria(view.tables.criteria)

    def counts(one: Annotation) -> bool:
        return bool(one.criteria) and view.instance(one.generation_id).instance_id not in view.invalidated

    def of(one: Annotation) -> tuple[Criterion, ...]:
        return criteria.of_item(view.instance(one.generation_id).instance_id)

    firsts = (one for _, one in sorted(view.chosen.first.items()) if counts(one))
    return CriteriaTicks(
        criteria,
        tuple((one, of(one)) for one in view.chosen.annotations if counts(one)),
        tuple(
            Tick(criterion_name(criterion), one.generation_id, one.annotator_id, verdict)
            for one in firsts
            for verdicts in (verdicts_by_id(one),)
            for criterion in of(one)
            if (verdict := verdicts.get(criterion.id)) is not None
        ),
    )


def criterion_name(one: Criterion) -> str:
    """A criterion's name, unique over all items."""
    return f"{one.item} {one.id}".strip()


def verdicts_by_id(one: Annotation) -> Mapping[str, CriterionVerdict]:
    """Criterion id -> verdict in one annotation, on any version."""
    return {criterion_of_key(key)[0]: verdict for key, verdict in one.criteria.items()}


def criterion_uses(ticks: CriteriaTicks) -> dict[Key, CriterionUse]:
    """How each criterion with a tick was ticked, in the order of the criteria."""
    given: dict[Key, dict[str, list[CriterionVerdict]]] = defaultdict(lambda: defaultdict(list))
    for one, criteria in ticks.last:
        verdicts = verdicts_by_id(one)
        for criterion in criteria:
            if criterion.id in verdicts:
                given[criterion.item, criterion.id][one.generation_id].append(verdicts[criterion.id])
    keys = ((one.item, one.id) for one in ticks.criteria.newest)
    return {key: criterion_use(given[key]) for key in keys if key in given}


def flags_paragraph(uses: Mapping[Key, CriterionUse], flagged: Mapping[Key, CriterionUse]) -> str:
    """How many criteria have each flag, and what the flags mean, in words."""
    n = {
        flag: sum(flag in use.flags for use in uses.values())
        for use in flagged.values()
        for flag in use.flags
    }
    said = ", ".join(f"{flag}: {count}" for flag, count in sorted(n.items())) or "none"
    return (
        f"Of {len(uses)} criteria with ticks, flagged: {said}. A criterion that every answer meets, or none, "
        "separates no answer from another, which is said from two answers on; one splits the annotators "
        f"where they differ on {SPLIT_FROM:.0%} or more of the answers that two or more of them ticked."
    )


def use_table(
    view: StudyView, criteria: Criteria, uses: Mapping[Key, CriterionUse], table_id: str, caption: str
) -> Table:
    """How the criteria in `uses` were ticked, one per row."""
    newest = {(one.item, one.id): one for one in criteria.newest}
    rows = tuple(
        (
            *(*key, _text(view, newest[key]), newest[key].weight, "yes" if newest[key].must_have else "no"),
            *(use.answers, use.met, use.not_met, use.not_applicable, use.judged_by_two, use.split),
            ", ".join(use.flags) or None,
        )
        for key, use in uses.items()
    )
    counts = ("Answers", "Met", "Not met", "Does not apply", "Ticked by two or more", "Of these split")
    return Table(
        id=table_id,
        caption=caption,
        note="Unit: a tick, as it was last given; answers are generations. Texts are those in force.",
        trace=f"criteria.csv{taken_out_trace(view)}",
        columns=(
            *NAMED,
            _TEXT,
            Column(key="weight", label="Weight", kind="number"),
            Column(key="must_have", label="Must-have"),
            *(Column(key=one.lower().replace(" ", "_"), label=one, kind="count") for one in counts),
            Column(key="flags", label="Flags"),
        ),
        rows=rows,
        detail=table_id == "criteria_use",
        in_files=len(rows) > MOST_ROWS,
    )


def _text(view: StudyView, one: Criterion) -> str:
    """The criterion's text, shortened; empty for credentialed data, as it can quote records."""
    return shorten(one.text, LONGEST_TEXT, placeholder=" …") if view.data_use is None else ""


def changed_texts(ticks: CriteriaTicks) -> dict[Key, tuple[int, int]]:
    """Criterion with a changed text -> ticks on the present text, and on earlier ones."""
    versions = {(one.item, one.id): one.version for one in ticks.criteria.newest if one.version > 1}
    found = {key: [0, 0] for key in versions}
    for one, criteria in ticks.last:
        ticked = dict(map(criterion_of_key, one.criteria))
        for criterion in criteria:
            key = criterion.item, criterion.id
            if key in versions and criterion.id in ticked:
                found[key][ticked[criterion.id] < versions[key]] += 1
    return {key: (new, old) for key, (new, old) in found.items()}


def changes_paragraph(changed: Mapping[Key, tuple[int, int]]) -> Iterator[str]:
    """How many ticks are of an earlier text; nothing if no text was changed."""
    if changed:
        old, all_ = sum(old for _, old in changed.values()), sum(map(sum, changed.values()))
        one = len(changed) == 1
        yield (
            f"{len(changed)} {'criterion has' if one else 'criteria have'} another text than when the study "
            f"opened: {old} of {all_} ticks on {'it' if one else 'them'} predate the text in force. They "
            "count as they were given; open the items again to tick the new text."
        )


def versions_table(view: StudyView, criteria: Criteria, changed: Mapping[Key, tuple[int, int]]) -> Table:
    """The criteria whose text was changed, with the ticks on it and on earlier ones."""
    newest = {(one.item, one.id): one for one in criteria.newest}
    return Table(
        id="criteria_versions",
        caption="Criteria whose text was changed",
        note="Unit: a tick, as it was last given.",
        trace="criteria.csv: version, in_force",
        columns=(
            *NAMED,
            _TEXT,
            Column(key="version", label="Version in force", kind="count"),
            Column(key="on_it", label="Ticks on it", kind="count"),
            Column(key="earlier", label="Ticks that predate it", kind="count"),
        ),
        rows=tuple((*key, _text(view, newest[key]), newest[key].version, *n) for key, n in changed.items()),
        in_files=len(changed) > MOST_ROWS,
    )
