"""Accuracy of slices in a notebook."""

from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from clinicnum.annotations.explore.generation_frame import AnswerTable, Frame, QuestionTable, make_frame
from clinicnum.annotations.explore.slice_accuracy import accuracy_by
from clinicnum.annotations.explore.slice_rows import slice_rows
from clinicnum.api.scores import Scores


def slice_accuracy(
    scores: Scores, by: Sequence[str], *, where: Mapping[str, Collection[str]] | None = None
) -> pd.DataFrame:
    """Accuracy of each value of each facet in `by`, with its difference from the other answers.

    Facets are those of the explore page: `operation, representation, template, vital, context_length,
    records, patient, gender, age, variant, run` and others (docs/explore.md). `where` keeps only answers with
    the values given for a facet. One row a slice: `facet, value, n` (answers), `n_subjects, correct,
    accuracy` with its 95 % interval `low, high` or why there is none (`undefined`), `rest` (accuracy of the
    other answers), `difference` with `difference_low, difference_high` or why there is no interval
    (`difference_undefined`); shares from 0 to 1. All answers count but failed samples: `where={"headline":
    ["yes"]}` leaves out variants and items that do not discriminate. Intervals are for other subjects and,
    from five templates on, other templates (docs/slices.md), uncorrected for the number of slices. Raises
    InputError for a wrong facet.

    Example:
        >>> import clinicnum, pandas as pd
        >>> benchmark = clinicnum.generate(quota="retrieval=6", representation="note")
        >>> answers = benchmark.to_frame()[["instance_id", "answer"]].rename(columns={"answer": "text"})
        >>> table = clinicnum.slice_accuracy(clinicnum.score(benchmark, answers), by=["operation"])
        >>> table[["facet", "value", "n", "accuracy"]].values.tolist()
        [['operation', 'retrieval', 6, 1.0]]
    """
    frame = _frame(scores)
    within = frame.choose(where or {})
    return pd.DataFrame(slice_rows(accuracy_by(frame, name, within=within) for name in by))


def _frame(scores: Scores) -> Frame:
    instances = scores.benchmark.instances
    questions = QuestionTable.of((key, one.model_dump(mode="json")) for key, one in instances.items())
    place = {key: at for at, key in enumerate(instances)}
    parts = []
    for run in scores.runs:
        of = scores.of_run(run)
        rows = [
            (one.generation_id, place[one.instance_id], one.model_dump(mode="json"), score.model_dump())
            for one, score in zip(of.generations, of.scores, strict=True)
        ]
        parts.append((questions, AnswerTable.of(rows, run=run, model=run)))
    return make_frame(parts)
