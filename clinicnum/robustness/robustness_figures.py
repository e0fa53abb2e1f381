"""Everything about robustness and calibration of one or several models on one benchmark."""

from collections.abc import Sequence
from dataclasses import dataclass

from clinicnum.calibration import CalibrationRow, calibration_table
from clinicnum.robustness.abstention import AbstentionRow, abstention_rows
from clinicnum.robustness.option_order import OptionsRow, options_rows
from clinicnum.robustness.paired_effects import (
    CONTEXT,
    PROMPT,
    effects_on_bases,
    model_effects,
    patient_effects,
    representation_effects,
)
from clinicnum.robustness.run_answers_and_pairs import Run, pairs_of
from clinicnum.robustness.variant_effects import (
    ChainRow,
    FlipRow,
    FollowingRow,
    chain_rows,
    flip_rows,
    following_rows,
)
from clinicnum.stats.paired_tests import Comparison


@dataclass(frozen=True)
class ModelRobustness:
    """The figures of one model; a table is empty if the benchmark has no variants of its kind."""

    model: str
    n_answers: int
    n_pairs: int
    """Variants paired with a base."""
    left_out: dict[str, int]
    """Variants that are in no pair, by reason."""
    rerun: str | None
    """Name of the identical re-run, if there is one."""
    flips: tuple[FlipRow, ...]
    options: tuple[OptionsRow, ...]
    following: tuple[FollowingRow, ...]
    abstention: tuple[AbstentionRow, ...]
    chain: tuple[ChainRow, ...]
    prompts: tuple[Comparison, ...]
    """Each prompt or persona (first) against the default prompt (second)."""
    conditions: tuple[Comparison, ...]
    """Each condition of the context (first) against the clean context (second)."""
    patients: tuple[Comparison, ...]
    """The patient said to be of one sex or age (first) against another (second)."""
    representations: tuple[Comparison, ...]
    calibration: tuple[CalibrationRow, ...]


@dataclass(frozen=True)
class Robustness:
    """The figures of all models on one benchmark."""

    models: tuple[ModelRobustness, ...]
    comparisons: tuple[Comparison, ...]
    """Comparisons between models, corrected for the number of comparisons."""


def robustness(runs: Sequence[Run], *, rerun: Run | None = None, seed: int = 0) -> Robustness:
    """All figures of `runs`; `rerun` repeats the first run identically.

    The order of answers within a run does not matter; `seed` is that of bootstraps and of simulated
    calibrated models.
    """
    models = tuple(_of_model(run, rerun if run is runs[0] else None, seed) for run in runs)
    return Robustness(models=models, comparisons=model_effects(runs))


def _of_model(run: Run, rerun: Run | None, seed: int) -> ModelRobustness:
    pairs, left_out = pairs_of(run)
    answered = [(a.instance, a.generation, a.score) for a in run.answers.values()]
    return ModelRobustness(
        model=run.name,
        n_answers=len(run.answers),
        n_pairs=len(pairs),
        left_out=left_out,
        rerun=None if rerun is None else rerun.name,
        flips=flip_rows(pairs, rerun),
        options=options_rows(run, rerun),
        following=following_rows(pairs, rerun),
        abstention=abstention_rows(run, pairs, rerun),
        chain=chain_rows(pairs, rerun),
        prompts=effects_on_bases(pairs, PROMPT),
        conditions=effects_on_bases(pairs, CONTEXT),
        patients=patient_effects(pairs),
        representations=representation_effects(run),
        calibration=calibration_table(answered, seed=seed),
    )
