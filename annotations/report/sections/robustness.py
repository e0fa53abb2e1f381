"""The section on robustness to changes of question, records or prompt (`clinicnum.robustness`)."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from clinicnum.annotations.report.question_summary import made_elsewhere, not_variants
from clinicnum.annotations.report.report_content import Cell, Column, Dot, Gap, Plot, Section, Table
from clinicnum.annotations.report.sections.accuracy_by_dimension import flips_by_dimension
from clinicnum.annotations.report.sections.share_cells import ends, figure_cells, figure_columns, remarks
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.robustness import Pair, Run, pairs_of
from clinicnum.robustness.abstention import AbstentionRow, abstention_rows
from clinicnum.robustness.option_order import OptionsRow, options_rows
from clinicnum.robustness.paired_effects import CONTEXT, PROMPT, effects_on_bases, patient_effects
from clinicnum.robustness.variant_effects import (
    ChainRow,
    FlipRow,
    FollowingRow,
    chain_rows,
    flip_rows,
    following_rows,
)
from clinicnum.stats.clustered_intervals import WILSON
from clinicnum.stats.interval_estimate import Figure
from clinicnum.stats.paired_tests import Comparison, untestable
from clinicnum.stats.rounded_figures import percent

R = TypeVar("R")
Found = list[tuple[str, R]]
"""Rows, each with its model."""
_WHERE = (
    Column(key="model", label="Model", once=True),
    Column(key="kind", label="Change"),
    Column(key="representation", label="Written as"),
)
_REMARK = Column(key="remark", label="Note", kind="note")
_INTERVAL = f"Interval: {WILSON}."
_TRACE = (
    "scores.csv: lenient, parsed, variant, instance_id, subject_id, run_id, flags; the benchmark's "
    "instances: base_id"
)


def robustness_section(view: StudyView) -> Section:
    """One table per kind of change; a kind without variants in the benchmark is a gap."""
    runs = [run.paired for run in view.runs]
    pairs = {run.name: pairs_of(run) for run in runs}
    tables, gaps = _tables(runs, {name: found for name, (found, _) in pairs.items()})
    if not tables:
        why = "the benchmark has no answered variants (`clinicnum generate --variants`)"
        if made_elsewhere(view.tables.instances):
            why = "none of these items, which were made elsewhere, is marked as a variant of another"
            why += not_variants(view.tables.instances)
        return Section(id="robustness", title=_TITLE, gaps=(Gap(what=_TITLE, why=why),))
    left = [f"{name}: {n} {why}" for name, (_, out) in pairs.items() for why, n in out.items()]
    paired = bool(left) or any(found for found, _ in pairs.values())
    counted = f" ({'; '.join(left)})" * bool(left)
    again = Gap(
        what="What an identical re-run would change, beside every robustness figure",
        why="a study holds each run once (`clinicnum robustness --rerun-generations` takes a re-run)",
    )
    return Section(
        id="robustness",
        title=_TITLE,
        holds_labels=False,
        paragraphs=(
            ("Each variant stands beside the question it rewrites. " * paired)
            + "An answer that cannot be read is wrong."
            + f" Pairs of which either does not discriminate are left out{counted}." * paired,
        ),
        plots=_plot(tables[0]),
        tables=(*tables, *flips_by_dimension({name: found for name, (found, _) in pairs.items()})),
        gaps=(again, *gaps),
    )


_TITLE = "Does it hold when the question changes?"


def _tables(runs: Sequence[Run], pairs: dict[str, list[Pair]]) -> tuple[list[Table], list[Gap]]:
    def each(rows: Callable[[Run, list[Pair]], Iterable[R]]) -> Found[R]:
        return [(run.name, row) for run in runs for row in rows(run, pairs[run.name])]

    made = (
        (
            "Flips under harmless changes, orders of the options apart",
            _flips(each(lambda _, found: flip_rows(found, None))),
        ),
        (
            "Following a change of the right answer's content",
            _following(each(lambda _, f: following_rows(f, None))),
        ),
        ("Five orders of the options", _options(each(lambda run, _: options_rows(run, None)))),
        ("Saying what is not documented", _abstention(each(lambda run, f: abstention_rows(run, f, None)))),
        ("Withstanding a mistaken remark", _chain(each(lambda _, found: chain_rows(found, None)))),
        ("Prompts and personas", _compared(*_PROMPTS, each(lambda _, f: effects_on_bases(f, PROMPT)))),
        ("Conditions of the context", _compared(*_CONTEXTS, each(lambda _, f: effects_on_bases(f, CONTEXT)))),
        ("Who the patient is said to be", _compared(*_PATIENTS, each(lambda _, f: patient_effects(f)))),
    )
    gaps = [
        Gap(what=what, why="the benchmark has no such variants") for what, table in made if not table.rows
    ]
    return [table for _, table in made if table.rows], gaps


def _table(
    id_: str, caption: str, note: str, columns: Sequence[Column], rows: list[tuple[Cell, ...]]
) -> Table:
    return Table(
        id=f"robustness_{id_}",
        caption=caption,
        note=f"{note} {_INTERVAL}",
        trace=_TRACE + ", options" * (id_ == "options"),
        columns=(*_WHERE, *columns, _REMARK),
        rows=tuple(rows),
        total="representation",
    )


def _row(name: str, kind: str, representation: str, *figures: Figure) -> tuple[Cell, ...]:
    cells = [cell for figure in figures for cell in figure_cells(figure)]
    return name, kind, representation, *cells, remarks(*figures)


def _flips(found: Found[FlipRow]) -> Table:
    return _table(
        "flips",
        "Flips under changes that leave the right answer alone",
        "Unit: pairs. Flip: wrong in the variant, of those right in the base. Reverse: right in the variant, "
        "of those wrong in the base; what merely wavers flips both ways.",
        (*figure_columns("flip", "Flip"), *figure_columns("reverse", "Reverse")),
        [_row(name, one.kind, one.representation, one.flip, one.reverse) for name, one in found],
    )


def _following(found: Found[FollowingRow]) -> Table:
    return _table(
        "following",
        "Following a change that moves the right answer",
        "Unit: pairs right in the base. Following: right in the variant. Kept: the base's answer given "
        "again.",
        (*figure_columns("following", "Following"), *figure_columns("kept", "Kept")),
        [_row(name, one.kind, one.representation, one.following, one.kept) for name, one in found],
    )


def _options(found: Found[OptionsRow]) -> Table:
    return _table(
        "options",
        "The same options in five orders",
        "Unit: questions answered in all five orders. Consistent: the same option by content each time; what "
        "cannot be read is not. Robust: right in all five. Single: accuracy of single orders. Places: how "
        "often the first, second, ... option was chosen. Incomplete: questions left out, as they "
        "are answered in some of the five orders only.",
        (
            *figure_columns("consistency", "Consistent"),
            *figure_columns("robust_accuracy", "Robust"),
            *figure_columns("accuracy", "Single"),
            Column(key="places", label="Places"),
            Column(key="incomplete", label="Incomplete", kind="count"),
        ),
        [
            (
                *_row(name, one.kind, one.representation, one.consistency, one.robust_accuracy, one.accuracy)[
                    :-1
                ],
                " / ".join(map(str, one.places)),
                one.n_incomplete,
                remarks(one.consistency, one.robust_accuracy),
            )
            for name, one in found
        ],
    )


def _abstention(found: Found[AbstentionRow]) -> Table:
    return _table(
        "abstention",
        "Saying that something is not documented, when it is not and only then",
        "Sensitivity: of items with a withheld value, said not to be documented. False: of answerable items. "
        "On the same: of the same questions, answerable.",
        (
            *figure_columns("sensitivity", "Sensitivity"),
            *figure_columns("false_abstention", "False"),
            *figure_columns("abstained_on_base", "On the same"),
        ),
        [
            _row(
                name,
                "missing",
                one.representation,
                one.sensitivity,
                one.false_abstention,
                one.abstained_on_base,
            )
            for name, one in found
        ],
    )


def _chain(found: Found[ChainRow]) -> Table:
    return _table(
        "remarks",
        "Withstanding a colleague's mistaken remark",
        "Unit: pairs right in the base. Withstood: right in the variant. Adopted: the remark's value is the "
        "answer.",
        (*figure_columns("resistance", "Withstood"), *figure_columns("adopted", "Adopted")),
        [_row(name, one.kind, one.representation, one.resistance, one.adopted) for name, one in found],
    )


_PROMPTS = ("prompts", "Prompts and personas against the default prompt", "prompts")
_CONTEXTS = ("conditions", "Conditions of the context against the context as it is", "conditions")
_PATIENTS = (
    "patients",
    "The patient said to be female or 80 against male or 25, the vital signs unchanged",
    "pairs of patients",
)
"""Each of the three: id and caption of a table, and what it compares."""


def _compared(id_: str, caption: str, compared: str, found: Found[Comparison]) -> Table:
    return Table(
        id=f"robustness_{id_}",
        caption=caption,
        note="Unit: pairs, over all representations. Difference in accuracy, in percentage points; p by "
        "exact sign flips of whole subjects (McNemar's exact test with one item a subject), and times "
        f"the number of {compared} of a model that could win. Interval: all differences that this test does "
        "not reject.",
        trace=_TRACE,
        columns=(
            *_WHERE[:2],
            Column(key="pairs", label="Pairs", kind="count"),
            Column(key="difference", label="Points", kind="points"),
            Column(key="ci95", label="95 % interval", kind="points_interval"),
            Column(key="p", label="p", kind="p"),
            Column(key="p_corrected", label="p, corrected", kind="p"),
            _REMARK,
        ),
        rows=tuple(
            (
                name,
                one.first if one.on == "all" else f"{one.first}, {one.on}",
                one.n,
                one.difference,
                ends(one.interval),
                one.p,
                one.p_corrected,
                one.undefined or untestable(one) or one.interval.undefined or one.interval.warning,
            )
            for name, one in found
        ),
    )


def _plot(table: Table) -> tuple[Plot, ...]:
    """A plot of the first rate in the first table by kind of change, over all representations."""
    key, label = table.columns[3].key, table.columns[3].label
    dots: dict[tuple[str, str], Dot] = {}
    for row in table.rows:
        value, interval = table.cell(row, key), table.cell(row, f"{key}_ci95")
        name, kind = str(row[0]), str(row[1])
        if isinstance(value, float):
            found = interval if isinstance(interval, tuple) else None
            dots[kind, name] = Dot(row=kind, series=name, value=value, interval=found)
    if not dots:
        return ()
    said = "; ".join(f"{dot.row}, {dot.series} {percent(dot.value, 0)} %" for dot in dots.values())
    return (
        Plot(
            id=table.id,
            kind="dots",
            caption=f"{label} by change, all representations together, with 95 % intervals.",
            alt=f"{table.caption}: {said}.",
            table=table.id,
            dots=tuple(dots.values()),
        ),
    )
