"""Robustness of a model when a question, its records or its prompt change: `robustness(runs)`.

Definitions stand in the module of each table (`changes`, `options`, `abstention`, `effects`, `latent`), the
intervals in `clinicnum.stats.clusters`, their measured coverage in `docs/robustness.md`.
"""

from clinicnum.robustness.model_run import Answer, Pair, Run, join, pairs_of
from clinicnum.robustness.report import ModelRobustness, Robustness, robustness

__all__ = ["Answer", "ModelRobustness", "Pair", "Robustness", "Run", "join", "pairs_of", "robustness"]
