"""Paired differences: between representations of the same question, and between models on the same items.

Tests and corrections come from `clinicnum.stats.paired_tests`. Each table is one family of tests: the overall
comparison of a pair is its gatekeeper, operations within a pair are corrected by Holm, and p-values by
Benjamini and Hochberg are shown as well.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from clinicnum.annotations.report.model_run import run_or_model
from clinicnum.annotations.report.question_summary import templates_word
from clinicnum.annotations.report.report_content import Cell, Column, Table
from clinicnum.annotations.report.sections.share_cells import OPERATION_ORDER, REPRESENTATION_ORDER, ends
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.robustness import Answer
from clinicnum.stats.accuracy import ALL
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.paired_tests import Comparison, compare_columns, corrected, untestable
from clinicnum.stats.sign_flip_interval import DRAWN, PATTERNS

FEW_MODELS = 2
"""Most models whose differences are on the page; those of more are in files only."""
Named = tuple[str, Comparison]
"""A model and a comparison within its answers."""
_COLUMNS = (
    Column(key="operation", label="Operation"),
    Column(key="difference_of", label="Difference of"),
    Column(key="pairs", label="Pairs", kind="count"),
    Column(key="difference", label="Points", kind="points"),
    Column(key="ci95", label="95 % interval", kind="points_interval"),
    Column(key="p", label="p", kind="p"),
    Column(key="p_corrected", label="p, corrected", kind="p"),
    Column(key="p_bh", label="p, BH", kind="p"),
    Column(key="least_p", label="Least p", kind="p"),
    Column(key="subjects", label="Subjects", kind="count"),
    Column(key="remark", label="Note", kind="note"),
)
_NOTE = (
    "The difference is in percentage points of lenient accuracy; interval and p speak of other subjects and "
    "the same {kinds}. p: exact sign flips of whole subjects, or McNemar's exact test where each subject has "
    "one item, as the note says. Interval: all differences that the sign flips do not reject once they are "
    "taken from each subject's difference, every sign pattern counted unless the note says drawn; not "
    "corrected for their number. Least p: the smallest p that so many differing subjects can give; where it "
    "is over 0.05, p stands there but counts as no test. p, corrected: p of the row over all times the "
    "number of pairs in this table that count as tested ({tested}){holm}. p, BH: by Benjamini and "
    "Hochberg, which holds the share of false findings among all that count as tested."
)


def representation_differences(view: StudyView) -> tuple[Named, ...]:
    """Every pair of representations within each model, by operation and overall."""
    found = [(run.name, one) for run in view.runs for one in _of_run(run.headline)]
    tested = corrected([one for _, one in found], [(name, one.first, one.second) for name, one in found])
    return tuple((name, one) for (name, _), one in zip(found, tested, strict=True))


def _of_run(headline: Sequence[Answer]) -> Iterator[Comparison]:
    groups: dict[str, int] = {}
    # Place of the first answer to each question as written in each representation; -1 where there is none.
    asked = np.full((len(headline), len(REPRESENTATION_ORDER)), -1, dtype=np.int64)
    for place, one in zip(range(len(headline) - 1, -1, -1), reversed(headline), strict=True):
        group = groups.setdefault(one.instance.group_id, len(groups))
        asked[group, REPRESENTATION_ORDER.index(one.instance.representation)] = place
    subjects = Subjects.of(one.subject for one in headline)
    right = np.array([one.right for one in headline], dtype=bool)
    operations = np.array([one.instance.operation for one in headline], dtype=str)
    seen = np.flatnonzero((asked >= 0).any(axis=0)).tolist()
    for base, other in combinations(seen, 2):
        ours, theirs = asked[(asked[:, base] >= 0) & (asked[:, other] >= 0)][:, [other, base]].T
        for operation in (*OPERATION_ORDER, ALL):
            here = (operations[ours] == operation) | (operation == ALL)
            if here.any() and (operation == ALL or not here.all()):
                yield compare_columns(
                    REPRESENTATION_ORDER[other],
                    REPRESENTATION_ORDER[base],
                    subjects[ours[here]],
                    right[ours[here]],
                    right[theirs[here]],
                    on=operation,
                )


def differences_table(named: Sequence[Named]) -> Table:
    """All differences between representations."""
    order = (*OPERATION_ORDER, ALL)
    rows = sorted(named, key=lambda entry: order.index(entry[1].on))
    models = list(dict.fromkeys(name for name, _ in named))
    return Table(
        id="accuracy_differences",
        caption="Differences between representations",
        note="Unit: pairs of generations on the same records and question. "
        + _note("templates", [one for _, one in named]),
        trace="scores.csv: run_id, status, group_id, subject_id, operation, representation, lenient, "
        "variant, flags",
        total="operation",
        detail=True,
        in_files=len(models) > FEW_MODELS,
        columns=(Column(key="model", label="Model", once=True), *_COLUMNS),
        rows=tuple(
            (name, *_row(one)) for name, one in sorted(rows, key=lambda entry: models.index(entry[0]))
        ),
    )


def models_table(view: StudyView) -> Table:
    """Differences between models on the instances on which both have a generation that counts."""
    found, what = view.model_comparisons, run_or_model(view.runs)
    return Table(
        id="model_differences",
        caption=f"Differences between {what}s",
        note=f"Unit: instances on which a generation of both {what}s counts, an empty one too. "
        + _note(templates_word(view.tables.instances), found),
        trace="scores.csv: run_id, status, instance_id, subject_id, operation, lenient, variant, flags",
        total="operation",
        in_files=len(view.runs) > FEW_MODELS,
        columns=_COLUMNS,
        rows=tuple(_row(one) for one in found),
    )


def _note(kinds: str, found: Sequence[Comparison]) -> str:
    """What the columns are, with the number of rows over all operations that are in the correction."""
    tested = sum(one.on == ALL and one.p_corrected is not None for one in found)
    split = any(one.on != ALL for one in found)
    holm = "; operations by Holm within their pair, and never below the row over all" * split
    return _NOTE.format(kinds=kinds, tested=tested, holm=holm)


def _row(one: Comparison) -> tuple[Cell, ...]:
    return (
        one.on,
        f"{one.first} - {one.second}",
        one.n,
        one.difference,
        ends(one.interval),
        one.p,
        one.p_corrected,
        one.p_bh,
        one.least_p,
        one.n_subjects,
        _remark(one),
    )


def _remark(one: Comparison) -> str:
    """The test, and why there is none or no interval; only the reason where nothing was compared."""
    if one.undefined:
        return f"{one.undefined}: no test"
    drawn = f"interval from {PATTERNS:,} drawn sign patterns" if one.interval.method == DRAWN else None
    said = (untestable(one), one.test, drawn, one.interval.undefined, one.interval.warning)
    return "; ".join(text for text in said if text)
