"""The section on the automatic score: compared with the consensus, weighted to represent the whole run."""

from collections import Counter

from clinicnum.annotations.report.model_run import in_a_sentence, listed
from clinicnum.annotations.report.report_content import Cell, Column, Gap, Section, Table
from clinicnum.annotations.report.scorer_check import (
    Checked,
    Rate,
    blind_check,
    checked,
    rates,
)
from clinicnum.annotations.report.sections.consensus_wording import (
    BESIDE,
    by,
    hidden,
    last_responses,
    of_same_subject,
    rewording_said,
    taken_out_trace,
)
from clinicnum.annotations.report.sections.model_comparison import medec
from clinicnum.annotations.report.sections.share_cells import ends, remarks
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_kind import RESPONSE_JUDGEMENTS
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.partial_verification import METHOD

_TITLE = "Can the score be trusted?"
_RATES = (
    Column(key="scorer", label="Score"),
    Column(key="rate", label="Rate"),
    Column(key="of", label="Of"),
    Column(key="value", label="Weighted", kind="share"),
    Column(key="ci95", label="95 % interval", kind="share_interval"),
    Column(key="hits", label="Hits", kind="count"),
    Column(key="n", label="n", kind="count"),
    Column(key="subjects", label="Subjects", kind="count"),
)
_REMARK = Column(key="remark", label="Note", kind="note")
_STATUSES = ("correct", "incorrect", "unparsable", "abstained", "empty", "truncated")


def scorer_section(view: StudyView) -> Section:
    """Sensitivity, specificity and predictive values of the lenient and strict score, with the underlying
    counts.
    """
    found, out = view.once(blind_check)
    if not len(found.subjects):
        return Section(
            id="scorer", title=_TITLE, gaps=(Gap(what=_TITLE, why="no generation has a consensus yet"),)
        )
    table = _rates(view, found, out)
    gaps = tuple(
        Gap(what=f"{str(row[1]).capitalize()} of the {row[0]} score", why=str(table.cell(row, "remark")))
        for row in table.rows
        if table.cell(row, "value") is None
    )
    return Section(
        id="scorer",
        title=_TITLE,
        paragraphs=(
            "Here the scorer is a test for failures, and the reference is the consensus, "
            f"{by(view.blind_protocol)}, of the annotators' first judgements"
            f"{', made before gold and score were shown' * (not view.chosen.scripted)}. What is settled "
            f"{_last(view)}, {by(view.protocol)}, on all generations that count there, stands beside it. "
            f"Shares are weighted by 1 / inclusion probability{_drawn(view)}.{_following(view)}"
            f"{rewording_said(view)}{_scripted(view)}",
        ),
        tables=(table, _crossed(view)),
        gaps=gaps,
    )


def _last(view: StudyView) -> str:
    """Words that tell last judgements from first ones."""
    if view.chosen.locked:
        return "as they count elsewhere"
    return "in the end" if view.chosen.scripted else "after the gold"


def _drawn(view: StudyView) -> str:
    if len({one.probability for one in view.tables.inclusions}) < 2:
        return ", which is the same for all here"
    return (
        ", because some generations were more likely to be drawn than others: weighted, the draw "
        "is undone; that the generations left out below are like those kept is taken for granted"
    )


def _following(view: StudyView) -> str:
    """How many first judgements are no reference, as their annotator knew the gold; empty without any."""
    n = len(view.chosen.known)
    if not n:
        return ""
    return (
        f" {how_many(n, 'first judgement')} that followed the reference of the same question (group_id) "
        f"{'is' if n == 1 else 'are'} left out.{of_same_subject(view)}"
    )


def _scripted(view: StudyView) -> str:
    if not view.chosen.scripted:
        return ""
    return (
        " Here the first judgements are made by a script from the score and the gold: the figures test the "
        "software and say nothing of the score."
    )


def _rates(view: StudyView, found: Checked, out: dict[str, int]) -> Table:
    protocols, group = [view.protocol], _last(view).capitalize()
    columns = [Column(key="after_gold", label=by(view.protocol), kind="share", group=group)]
    if view.protocol_beside is not None:
        protocols.append(view.protocol_beside)
        beside_name = by(view.protocol_beside)
        columns.append(Column(key="beside_value", label=beside_name, kind="share", group=group))
    others = [checked(view, view.settled(one))[0] for one in protocols]
    rows: list[tuple[Cell, ...]] = []
    for name in found.passed:
        beside = zip(*(rates(other, name) for other in others), strict=True)
        for rate, same in zip(rates(found, name), beside, strict=True):
            after_gold = [other.figure.value for other in same]
            rows.append((name, *_rate_cells(rate), *after_gold, remarks(rate.figure)))
    left = "; ".join(f"{n} {why}{_by_whom(view, why)}" for why, n in out.items())
    without = ", and without items that an upheld contest took out" * bool(view.invalidated)
    last = ", ".join(
        f"{by(one)}, n = {len(other.subjects)}" for one, other in zip(protocols, others, strict=True)
    )
    return Table(
        id="scorer_rates",
        caption="The scorer as a test for failures",
        note=f"Unit: generations with a consensus of first judgements {by(view.blind_protocol)}, n = "
        f"{len(found.subjects)}"
        + (f"; left out{', in this order, each counted once' * (len(out) > 1)}: {left}" if left else "")
        + f". {group} {last}: each by its own rule for the response and for the item, as settled on "
        f"this answer{without}. "
        "Weighted by 1 / inclusion probability; hits and n are unweighted counts. Sensitivity and "
        "specificity combine the predictive values with the share scored wrong of all drawn, each counted "
        f"1 / its inclusion probability.{_of_models(view, found)}{_sentence_alone(view)} Interval: "
        f"{METHOD}.{last_responses(view) * bool(view.chosen.locked)}",
        trace=f"scores.csv: {', '.join(found.passed)}, instance_id, run_id, subject_id, "
        f"inclusion_probability{taken_out_trace(view)}; annotations.csv: "
        f"response_judgement at revision 1, reference_known, generation_id, annotator_id; {BESIDE}",
        columns=(*_RATES, *columns, _REMARK),
        rows=tuple(rows),
        bar=("value", "ci95"),
    )


def _of_models(view: StudyView, found: Checked) -> str:
    """How many of these generations are of which model; empty for a study of one."""
    if len(view.runs) == 1:
        return ""
    counts = [
        f"{in_a_sentence(run.name)} {sum(one.generation.generation_id in found.keys for one in run.answers)}"
        for run in view.ranked
    ]
    return f" Of the {len(found.subjects)}, {listed(counts)}."


def _sentence_alone(view: StudyView) -> str:
    if not medec(view):
        return ""
    judged = ", the judgement of the correction too: a failure in the correction counts as missed" * (
        not view.chosen.scripted
    )
    return f" The score is of the sentence named alone{judged}."


def _rate_cells(rate: Rate) -> tuple[Cell, ...]:
    figure = rate.figure
    counts = (None,) * 3 if figure.value is None else (rate.hits, figure.n, figure.n_subjects)
    return (rate.name, rate.of, figure.value, ends(figure.interval), *counts)


def _by_whom(view: StudyView, why: str) -> str:
    """The study's protocol as ` by ...` if the reason `why` is on the validity of items; otherwise empty.

    Validity follows the study's protocol even if first judgements are used for the response.
    """
    return f" {by(view.protocol)}" if why.startswith("on items") else ""


def _crossed(view: StudyView) -> Table:
    cells: Counter[tuple[str, str]] = Counter(
        (view.score(one.generation_id).status, one.response.label or "no consensus")
        for one in view.settlements
    )
    outcomes = [*RESPONSE_JUDGEMENTS, "no consensus"]
    rows = tuple(
        (status, *(cells[status, outcome] for outcome in outcomes))
        for status in _STATUSES
        if any(cells[status, outcome] for outcome in outcomes)
    )
    return Table(
        id="scorer_against_consensus",
        caption="The scorer against the consensus",
        note=f"Unit: generations that were judged{hidden(view)}, unweighted; n = {len(view.settlements)}. "
        f"The consensus is {by(view.protocol)}.{last_responses(view)}",
        trace=f"scores.csv: status, generation_id; {BESIDE}",
        columns=(
            Column(key="status", label="Scored as"),
            *(Column(key=one, label=one.replace("_", " "), kind="count") for one in outcomes),
        ),
        rows=rows,
        detail=True,
    )
