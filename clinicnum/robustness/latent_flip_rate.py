"""Latent flip rate: how often a clinical state, decoded from hidden states, changes although it should not.

After LAPD (arXiv 2507.21188, "Latent Diagnosis Flip Rate"), whose details are not public. Our definition,
to be stated with the figure: mean-pooled last hidden states of contexts are standardised and reduced by PCA
to 95 % of their variance, and a logistic regression (the probe) predicts a state derived from the records
(`hidden_and_clinical_states`). Five folds by subject: every context is predicted by a probe that saw no
context of its subject. A flip is a variant's context whose predicted state (at probability 0.5) differs
from its base's, where the state derived from the records is the same.

For comparison: the probe's AUROC over the held-out base contexts (pooled over folds), and the flips of a
neutral re-rendering with another order of the vital signs or other separators. What a perturbation adds is
the difference from those. The rates are withheld where the AUROC is below 0.8: a probe that cannot tell the
state flips by itself.

Undefined with fewer than 20 contexts or fewer than 5 subjects with the state, or without it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clinicnum.robustness.hidden_and_clinical_states import STATES, HiddenStates, Vectors, state_of
from clinicnum.stats.clustered_intervals import Floats
from clinicnum.stats.interval_estimate import Figure, share, undefined_figure
from clinicnum.types import Instance

FOLDS = 5
VARIANCE = 0.95
LEAST_AUROC = 0.8
LEAST_CONTEXTS = 20
NEUTRAL = ("representation.order", "representation.separators")


@dataclass(frozen=True)
class LatentFlips:
    """The latent flip rate of one kind of variant."""

    kind: str
    flips: Figure
    """Flips among variants with another context and the same derived state."""
    n_moved: int
    """Variants left out as their derived state differs or is unknown."""


@dataclass(frozen=True)
class LatentRow:
    """The latent flip rates of one clinical state."""

    state: str
    model: str
    n_contexts: int
    """Base contexts with a known state."""
    n_subjects: int
    prevalence: float | None
    auroc: float | None
    """None if no probe could be trained."""
    neutral: Figure
    """Flips under a neutral re-rendering."""
    kinds: tuple[LatentFlips, ...]
    withheld: str | None = None
    """Why no rate is given."""


def latent_rows(instances: Mapping[str, Instance], hidden: HiddenStates) -> tuple[LatentRow, ...]:
    """One row per clinical state; the order of the instances does not matter."""
    shown = [instances[name] for name in sorted(instances) if name in hidden.rows]
    return tuple(_row(state, shown, instances, hidden) for state in STATES)


def _row(
    state: str, shown: Sequence[Instance], instances: Mapping[str, Instance], hidden: HiddenStates
) -> LatentRow:
    bases = _distinct([one for one in shown if one.variant is None], state, hidden)
    truth = np.array([bool(state_of(state, one)) for one in bases])
    subjects = np.array([one.subject_id for one in bases], dtype=str)
    nothing_yet = LatentRow(
        state=state,
        model=hidden.model,
        n_contexts=len(bases),
        n_subjects=len(set(subjects)),
        prevalence=float(truth.mean()) if len(truth) else None,
        auroc=None,
        neutral=undefined_figure("withheld"),
        kinds=(),
    )
    why = _too_few(truth, subjects)
    if why is not None:
        return replace(nothing_yet, neutral=undefined_figure(why), withheld=why)
    probes = _Probes(hidden.vectors, [hidden.rows[one.instance_id] for one in bases], truth, subjects)
    if probes.auroc < LEAST_AUROC:
        why = f"the probe's AUROC is {probes.auroc:.2f}, below {LEAST_AUROC}"
        return replace(nothing_yet, auroc=probes.auroc, neutral=undefined_figure(why), withheld=why)
    changed = _changed(shown, instances, hidden)
    rates = {kind: _flips(kind, changed[kind], state, probes, hidden) for kind in sorted(changed)}
    neutral = [pair for kind in NEUTRAL for pair in changed.get(kind, [])]
    return replace(
        nothing_yet,
        auroc=probes.auroc,
        neutral=_flips("neutral", neutral, state, probes, hidden).flips,
        kinds=tuple(rate for kind, rate in rates.items() if kind not in NEUTRAL),
    )


def _distinct(instances: Sequence[Instance], state: str, hidden: HiddenStates) -> list[Instance]:
    """One instance per context, among those whose state is known."""
    by_row = {hidden.rows[one.instance_id]: one for one in reversed(instances)}
    return [one for _, one in sorted(by_row.items()) if state_of(state, one) is not None]


def _too_few(truth: NDArray[np.bool_], subjects: NDArray[np.str_]) -> str | None:
    for value, name in ((True, "with"), (False, "without")):
        contexts, people = int((truth == value).sum()), len(set(subjects[truth == value]))
        if contexts < LEAST_CONTEXTS or people < FOLDS:
            return (
                f"{contexts} contexts of {people} subjects {name} the state; "
                f"a probe needs {LEAST_CONTEXTS} of {FOLDS}"
            )
    return None


Change = tuple[Instance, Instance]
"""Base and variant."""


def _changed(
    shown: Sequence[Instance], instances: Mapping[str, Instance], hidden: HiddenStates
) -> dict[str, list[Change]]:
    """Kind -> pairs of base and variant with different contexts, each pair of contexts once."""
    found: dict[str, dict[tuple[int, int], Change]] = {}
    for one in shown:
        base = instances.get(one.base_id or "")
        if one.variant is None or base is None or base.instance_id not in hidden.rows:
            continue
        rows = hidden.rows[base.instance_id], hidden.rows[one.instance_id]
        if rows[0] != rows[1]:
            found.setdefault(one.variant, {}).setdefault(rows, (base, one))
    return {kind: list(changes.values()) for kind, changes in found.items()}


def _flips(
    kind: str, changes: Sequence[Change], state: str, probes: "_Probes", hidden: HiddenStates
) -> LatentFlips:
    same = [
        (base, one)
        for base, one in changes
        if base.subject_id in probes.fold and state_of(state, base) is not None
        if state_of(state, base) == state_of(state, one)
    ]
    before = probes.predict([(b.subject_id, hidden.rows[b.instance_id]) for b, _ in same])
    after = probes.predict([(b.subject_id, hidden.rows[v.instance_id]) for b, v in same])
    values = [(b.subject_id, float(x != y)) for (b, _), x, y in zip(same, before, after, strict=True)]
    figure = share(values, without="no context changes while its state stays")
    return LatentFlips(kind, figure, len(changes) - len(same))


class _Probes:
    """One probe per fold; a subject's contexts are decoded by the probe that was not trained on them."""

    def __init__(
        self, vectors: Vectors, rows: Sequence[int], truth: NDArray[np.bool_], subjects: NDArray[np.str_]
    ) -> None:
        from sklearn.metrics import roc_auc_score
        from sklearn.model_selection import StratifiedGroupKFold

        self._vectors = vectors
        seen = np.asarray(vectors[np.asarray(rows)], dtype=np.float64)
        self.fold: dict[str, int] = {}
        self._probes: list[Any] = []
        chance: Floats = np.zeros(len(truth))
        splits = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=0).split(seen, truth, subjects)
        for number, (train, test) in enumerate(splits):
            probe = _probe().fit(seen[train], truth[train])
            chance[test] = probe.predict_proba(seen[test])[:, 1]
            self._probes.append(probe)
            self.fold |= dict.fromkeys(subjects[test].tolist(), number)
        self.auroc = float(roc_auc_score(truth, chance))

    def predict(self, asked: Sequence[tuple[str, int]]) -> list[bool]:
        """For each (subject, row of the vectors), whether the state is predicted, rightly or not, by the
        probe that saw no context of the subject. Every subject must be in `fold`.
        """
        said = np.zeros(len(asked), dtype=bool)
        folds = np.array([self.fold[subject] for subject, _ in asked], dtype=int)
        rows = np.array([row for _, row in asked], dtype=int)
        for number, probe in enumerate(self._probes):
            here = np.flatnonzero(folds == number)
            if len(here):
                said[here] = probe.predict(np.asarray(self._vectors[rows[here]], dtype=np.float64))
        return [bool(one) for one in said]


def _probe() -> Any:
    from sklearn.decomposition import PCA
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    reduced = PCA(VARIANCE, svd_solver="full")
    return make_pipeline(StandardScaler(), reduced, LogisticRegression(max_iter=2_000))
