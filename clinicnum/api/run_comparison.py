"""Compare runs of one benchmark in a notebook."""

from typing import NamedTuple

import pandas as pd

from clinicnum.api.data_frames import accuracy_frame
from clinicnum.api.scores import Scores
from clinicnum.errors import InputError
from clinicnum.robustness import compare_runs as compare
from clinicnum.robustness import join


class ComparedRuns(NamedTuple):
    """The two frames that `compare_runs` returns; it describes their columns."""

    accuracy: pd.DataFrame
    differences: pd.DataFrame


def compare_runs(*scores: Scores) -> ComparedRuns:
    """Compare two to eight runs of one benchmark, given in one `Scores` or in several.

    `accuracy` has one row a run, operation and representation (`all` for totals), on the questions that every
    run answered: shares from 0 to 1, with the columns of `Scores.accuracy`. `differences` has one row a pair
    of runs and operation, on the questions that both answered: `first, second, operation, n` (questions),
    `n_subjects, only_first` and `only_second` (questions that one of them alone got right), `difference`
    (accuracy of the first less that of the second) with its 95 % interval `low, high`, `p` and `p_corrected`
    (exact sign flips of subjects; corrected for all pairs and operations) and `undefined`, why there is none.
    Raises InputError for another number of runs, other benchmarks, or two runs with one run_id.

    Example:
        >>> import clinicnum, pandas as pd
        >>> benchmark = clinicnum.generate(quota="retrieval=2", representation="note")
        >>> right = benchmark.to_frame()[["instance_id", "answer"]].rename(columns={"answer": "text"})
        >>> answers = pd.concat([right.assign(run_id="a"), right.assign(run_id="b", text="I do not know.")])
        >>> compared = clinicnum.compare_runs(clinicnum.score(benchmark, answers))
        >>> compared.differences[["first", "second", "only_first", "only_second"]].values.tolist()
        [['a', 'b', 2, 0]]
    """
    asked = [one.benchmark.instances for one in scores]
    if any(instances != asked[0] for instances in asked[1:]):
        raise InputError("the scores are of several benchmarks; compare runs of one benchmark")
    parts = [(run, one.of_run(run)) for one in scores for run in one.runs]
    found = compare(
        [
            join(run, asked[0], part.generations, part.scores, form_asked=part.form_asked)
            for run, part in parts
        ]
    )
    return ComparedRuns(
        pd.concat([accuracy_frame(one.accuracy).assign(run_id=one.name) for one in found.runs]),
        pd.DataFrame(
            {
                "first": one.first,
                "second": one.second,
                "operation": one.on,
                "n": one.n,
                "n_subjects": one.n_subjects,
                "only_first": one.only_first,
                "only_second": one.only_second,
                "difference": one.difference,
                "low": one.interval.low,
                "high": one.interval.high,
                "p": one.p,
                "p_corrected": one.p_corrected,
                "undefined": one.undefined or one.interval.undefined,
            }
            for one in found.differences
        ),
    )
