"""Apply a new bank to stored runs: which results change, for which model, and why. No model is run again.

Each stored instance is recomputed by the new bank's version of its template, on the same records and slots,
and its stored answers are scored against that gold. If the wording changed, the stored answer is to another
question: it is counted separately, and left out of accuracy. Instances that can no longer be asked, were
withdrawn, or were invalidated by an upheld contest leave the accuracy of every model, whether answered right
or wrong.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from clinicnum.annotations.curation.recompute_instance import Recomputed, RecomputedInstance
from clinicnum.annotations.report.model_run import run_names
from clinicnum.annotations.study_inputs import Material
from clinicnum.generation.presets import PRESETS
from clinicnum.scoring import score
from clinicnum.stats.interval_estimate import Figure, share
from clinicnum.templates.template import Template
from clinicnum.translatable_text import Translatable
from clinicnum.types import Generation, Instance, Score, ScoreStatus

Kind = Literal[
    "same", "gold_changed", "wording_changed", "cannot_be_asked", "withdrawn", "contested", "elsewhere"
]
REMOVED: frozenset[Kind] = frozenset({"cannot_be_asked", "withdrawn", "contested"})
"""Kinds of change that remove an instance from accuracy."""
STAYS: frozenset[Kind] = frozenset({"same", "elsewhere"})
SAID: dict[Kind, str] = {
    "same": Translatable("as it was"),
    "gold_changed": Translatable("another gold"),
    "wording_changed": Translatable("another wording: stored answers answer the old one"),
    "cannot_be_asked": Translatable("cannot be asked as it was"),
    "withdrawn": Translatable("withdrawn: not in the new bank"),
    "contested": Translatable("taken out by an upheld contest"),
    "elsewhere": Translatable("made elsewhere: no template of the bank"),
}


@dataclass(frozen=True)
class Change:
    """A stored instance that changes under the new bank."""

    instance_id: str
    template_id: str
    version: int
    """The template version from which the instance was made."""
    version_now: int | None
    """Version of the template in the new bank; None if the bank does not have the template."""
    kind: Kind
    why: str
    gold: str | None
    gold_now: str | None
    """The gold by the new bank; None if the question cannot be asked, or has no answer."""


@dataclass(frozen=True)
class Flip:
    """A stored answer whose score changes under the new gold."""

    model: str
    generation_id: str
    instance_id: str
    template_id: str
    was: ScoreStatus
    now: ScoreStatus
    kind: Kind
    why: str


@dataclass(frozen=True)
class AccuracyChange:
    """Effect of the new bank on one model's headline accuracy (no variants, no flagged instances)."""

    model: str
    before: Figure
    """Accuracy as the answers were scored."""
    without_removed: Figure
    """Accuracy as the answers were scored, without removed instances."""
    after: Figure
    """Scored against the new golds, without removed and reworded instances."""
    removed: int
    """Number of headline answers to removed instances."""
    reworded: int
    """Number of headline answers to reworded instances, left out of `after`."""
    turned_right: int
    turned_wrong: int


@dataclass(frozen=True)
class Regression:
    """Effect of a bank on the runs of one benchmark."""

    benchmark_id: str
    instances: int
    kinds: dict[str, int]
    """Instances by kind."""
    changes: tuple[Change, ...]
    """In the benchmark's order; unchanged instances are only counted."""
    effects: tuple[AccuracyChange, ...]
    flips: tuple[Flip, ...]
    """Only where the wording did not change."""


def regress(
    material: Material,
    templates: Sequence[Template],
    *,
    invalidated: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
) -> Regression:
    """What a bank of `templates` changes in stored runs with their scores.

    `invalidated`: instance id -> why an upheld contest invalidated it. `names`: run id -> unique display name
    of its model; by default derived from the model's name.
    """
    preset = PRESETS.get(str(material.benchmark_meta.get("preset")))
    recomputed = Recomputed(templates, preset.decimals if preset else {}, material.instances)
    gone = invalidated or {}
    found: dict[str, tuple[Change, Instance | None]] = {}
    for instance in material.instances:
        found[instance.instance_id] = _change(
            instance, recomputed.of(instance), gone.get(instance.instance_id)
        )
    scores = {one.generation_id: one for one in material.scores}
    judged = list(_judged(material, scores, found, names or run_names(_models(material))))
    return Regression(
        benchmark_id=material.instances[0].benchmark_id,
        instances=len(material.instances),
        kinds=dict(sorted(Counter(change.kind for change, _ in found.values()).items())),
        changes=tuple(change for change, _ in found.values() if change.kind not in STAYS),
        effects=tuple(_effects(judged)),
        flips=tuple(one.flip for one in judged if one.flip is not None),
    )


def _change(
    instance: Instance, anew: RecomputedInstance, contested: str | None
) -> tuple[Change, Instance | None]:
    kind: Kind = "contested" if contested is not None else anew.kind
    change = Change(
        instance_id=instance.instance_id,
        template_id=instance.template_id,
        version=instance.template_version,
        version_now=anew.version,
        kind=kind,
        why=contested if contested is not None else anew.why,
        gold=instance.answer,
        gold_now=anew.instance.answer if anew.instance else None,
    )
    return change, anew.instance


@dataclass(frozen=True)
class _Judged:
    """One stored answer, scored under both banks."""

    model: str
    instance: Instance
    kind: Kind
    was: bool
    now: bool
    flip: Flip | None


def _judged(
    material: Material,
    scores: Mapping[str, Score],
    found: Mapping[str, tuple[Change, Instance | None]],
    names: Mapping[str, str],
) -> Iterator[_Judged]:
    instances = {one.instance_id: one for one in material.instances}
    for generation in material.generations():
        change, anew = found[generation.instance_id]
        before = scores[generation.generation_id]
        after = before
        if anew is not None and change.kind in ("gold_changed", "wording_changed"):
            after = score(instance=anew, generation=generation)
        model = names[generation.run_id]
        yield _Judged(
            model=model,
            instance=instances[generation.instance_id],
            kind=change.kind,
            was=before.lenient,
            now=after.lenient,
            flip=_flip(model, generation, change, before, after),
        )


def _models(material: Material) -> dict[str, str]:
    return {
        generation.run_id: str(run.meta.get("model") or "")
        for run in material.runs
        for generation in run.generations
    }


def _flip(model: str, generation: Generation, change: Change, before: Score, after: Score) -> Flip | None:
    if change.kind != "gold_changed" or before.lenient == after.lenient:
        return None
    return Flip(
        model=model,
        generation_id=generation.generation_id,
        instance_id=change.instance_id,
        template_id=change.template_id,
        was=before.status,
        now=after.status,
        kind=change.kind,
        why=change.why,
    )


def _effects(judged: Sequence[_Judged]) -> Iterator[AccuracyChange]:
    by_model: dict[str, list[_Judged]] = defaultdict(list)
    for one in judged:
        by_model[one.model].append(one)
    for model, mine in by_model.items():
        headline = [one for one in mine if one.instance.variant is None and not one.instance.flags]
        kept = [one for one in headline if one.kind not in REMOVED]
        comparable = [one for one in kept if one.kind != "wording_changed"]
        yield AccuracyChange(
            model=model,
            before=_accuracy((one.instance.subject_id, one.was) for one in headline),
            without_removed=_accuracy((one.instance.subject_id, one.was) for one in kept),
            after=_accuracy((one.instance.subject_id, one.now) for one in comparable),
            removed=len(headline) - len(kept),
            reworded=len(kept) - len(comparable),
            turned_right=sum(one.now and not one.was for one in headline if one.flip),
            turned_wrong=sum(one.was and not one.now for one in headline if one.flip),
        )


def _accuracy(answers: Iterable[tuple[str, bool]]) -> Figure:
    """Accuracy from pairs (subject, right), with Wilson's interval at the effective sample size, as
    everywhere in the report.
    """
    values = [(subject, float(right)) for subject, right in answers]
    return share(values, without=Translatable("no question is left"), bootstrap=False)


def figure_text(figure: Figure) -> str:
    """`50.0 % (95 % 20.1 to 79.9, n = 8)`, or the reason why it is undefined."""
    if figure.value is None:
        return Translatable("undefined: {why}", why=figure.undefined)
    value, interval, n = 100 * figure.value, figure.interval, figure.n
    if interval.low is None or interval.high is None:
        return Translatable(
            "{value:.1f} % (no interval: {why}, n = {n})", value=value, why=interval.undefined, n=n
        )
    low, high = 100 * interval.low, 100 * interval.high
    return Translatable(
        "{value:.1f} % (95 % {low:.1f} to {high:.1f}, n = {n})", value=value, low=low, high=high, n=n
    )


def regression_json(found: Regression) -> dict[str, Any]:
    """The regression as data for JSON: instances that change, accuracy of each model, and flips."""
    from dataclasses import asdict

    return asdict(found)
