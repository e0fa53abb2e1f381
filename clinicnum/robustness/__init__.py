"""Robustness of a model when a question, its records or its prompt change: `robustness(runs)`.

Each table is defined in a module of its own (`variant_effects`, `option_order`, `abstention`,
`paired_effects`, `latent_flip_rate`); the intervals in `clinicnum.stats.clustered_intervals`, and their
measured coverage in `docs/robustness.md`. `run_comparison` puts any runs side by side, and `repeated_samples`
several answers of one model to the same questions.
"""

from clinicnum.robustness.repeated_samples import SampleFigures, compare_samples
from clinicnum.robustness.robustness_figures import ModelRobustness, Robustness, robustness
from clinicnum.robustness.run_answers_and_pairs import Answer, Pair, Run, join, pairs_of
from clinicnum.robustness.run_comparison import RunComparison, compare_runs

__all__ = [
    "Answer",
    "ModelRobustness",
    "Pair",
    "Robustness",
    "Run",
    "RunComparison",
    "SampleFigures",
    "compare_runs",
    "compare_samples",
    "join",
    "pairs_of",
    "robustness",
]
