"""Coverage of the limits of the scorer's sensitivity, on samples as studies draw them.

All that is scored wrong is judged, and of the rest as many as make up 15 %. A subject's answers are alike
in whether they are wrong and whether they are missed. The limits of a class's share hold it more often than
95 %: where few misses were seen, others may be of any class. `scripts/dev/evidence scorer` runs it in full.
"""

import os

import numpy as np
import pytest

from clinicnum.annotations.sampling import Candidate, draw_sample
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.partial_verification import Limits, found_share, share_limits, share_of_both

SIMULATIONS = int(os.environ.get("CLINICNUM_SIMULATIONS", "40"))
SIZES, ACCURACIES, MISSES = (200, 500, 1000), (0.7, 0.8, 0.9), (0.005, 0.01, 0.02, 0.05)
OF_A_SUBJECT, ALIKE, PPV, CLASS = 4, 0.05, 0.95, 0.4
"""Items of a subject, their intraclass correlation, failures among the scored wrong, share of one class."""


def simulated(rng: np.random.Generator, n: int, accuracy: float, misses: float) -> tuple[bool, bool] | None:
    """Whether the limits hold the sensitivity, and the class's share; None for a run without a failure."""
    subject = np.repeat(np.arange(n // OF_A_SUBJECT), OF_A_SUBJECT)

    def happens(share: float) -> np.ndarray:
        size = (1 - ALIKE) / ALIKE
        return rng.random(n) < rng.beta(share * size, (1 - share) * size, n // OF_A_SUBJECT)[subject]

    wrong, failed, missed = happens(1 - accuracy), happens(PPV), happens(misses)
    failure, of_class = np.where(wrong, failed, missed), rng.random(n) < CLASS
    candidates = [
        Candidate(f"{place:04}", "retrieval", "structured", correct=not wrong[place]) for place in range(n)
    ]
    if not (failure & wrong).any():
        return None
    drawn = draw_sample(candidates, include="mixed", seed=int(rng.integers(2**31)))
    judged = np.isin(np.arange(n), [int(one.generation_id) for one in drawn])

    def limits(among: np.ndarray, hits: np.ndarray) -> Limits | None:
        whose = Subjects.of(f"{place:04}" for place in subject[among].tolist())
        return share_limits(whose, hits[among].astype(float), np.ones(among.sum())) if among.any() else None

    positive, negative = limits(judged & wrong, failure), limits(judged & ~wrong, ~failure)
    found = limits(judged & wrong & failure, of_class)
    assert positive is not None
    assert negative is not None
    assert found is not None
    sensitivity = found_share(positive, negative.rest, float(wrong.mean()))
    assert sensitivity is not None
    share = share_of_both(sensitivity, found, limits(judged & ~wrong & failure, of_class))
    q = 1 - accuracy
    truth = q * PPV / (q * PPV + accuracy * misses)
    return sensitivity.low <= truth <= sensitivity.high, share.low <= CLASS <= share.high


@pytest.mark.parametrize("n", SIZES)
def test_limits_hold_the_sensitivity_in_93_to_99_of_100_studies(n: int) -> None:
    few = 3 * np.sqrt(0.05 * 0.95 / SIMULATIONS)  # what chance does to a coverage near 95 %
    for accuracy in ACCURACIES:
        for misses in MISSES:
            rng = np.random.default_rng([n, int(1000 * accuracy), int(1000 * misses)])
            made = [simulated(rng, n, accuracy, misses) for _ in range(SIMULATIONS)]
            held = np.array([one for one in made if one is not None]).mean(axis=0)
            shown = " | ".join(f"{100 * one:.1f} %" for one in (misses, *held))
            print(f"| {n} | {accuracy:.1f} | {shown} |")
            assert held[0] >= 0.93 - few * (SIMULATIONS < 1000), (accuracy, misses)
            assert held[0] <= 0.99 + few, (accuracy, misses)
            assert held[1] >= 0.93 - few * (SIMULATIONS < 1000), (accuracy, misses)
