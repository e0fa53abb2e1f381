"""On verdicts whose true shares are known, intervals hold the truth as often as they say.

`scripts/dev/evidence tables` draws 500 studies and holds coverage to 93 to 97 %; the suite draws few and
allows for their chance.
"""

import os
from collections import defaultdict
from math import sqrt
from typing import get_args

import numpy as np

from clinicnum.annotations.claims.verdict_shares import Measure, differences, model_figure
from tests.annotations.planted_claims import planted, truth

DRAWS = int(os.environ.get("CLINICNUM_TABLE_DRAWS", "12"))
FULL = 500
LEAST, MOST = 0.93, 0.97


def test_intervals_hold_the_planted_shares_and_differences() -> None:
    rng = np.random.default_rng(31)
    held: dict[str, list[bool]] = defaultdict(list)
    true = {name: truth(name) for name in ("apt", "bold")}
    for _ in range(DRAWS):
        drawn = planted(rng)
        for measure in get_args(Measure):
            for name, answers in drawn.items():
                interval = model_figure(answers, measure).interval
                assert interval.low is not None
                assert interval.high is not None
                held[measure].append(interval.low <= true[name][measure] <= interval.high)
            (difference,) = differences(drawn, measure)
            interval = difference.figure.interval
            assert interval.low is not None
            assert interval.high is not None
            wanted = true["apt"][measure] - true["bold"][measure]
            held[f"{measure}: difference"].append(interval.low <= wanted <= interval.high)
    for name, all_held in held.items():
        print(f"{name:28} {100 * np.mean(all_held):5.1f} % of {len(all_held):,}")
    chance = 0.0 if DRAWS >= FULL else 5 * sqrt(0.05 * 0.95 / DRAWS)
    outside = {
        name: float(np.mean(one))
        for name, one in held.items()
        if not LEAST - chance <= np.mean(one) <= MOST + chance
    }
    assert not outside
