"""The input files of a study: one benchmark, runs on it, scores and suggestions, checked to fit together."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clinicnum.errors import InputError
from clinicnum.types import Generation, Instance, Score, Suggestion


@dataclass(frozen=True)
class Run:
    """The generations of one file, and its meta data, which are empty for a file from another program."""

    meta: dict[str, Any]
    generations: tuple[Generation, ...]


@dataclass(frozen=True)
class EarlierInvalidation:
    """The upheld contest of an earlier study that invalidated an instance."""

    study: str
    """Name of the study."""
    rule: str
    """The rule that the instance fails, or `by hand: ...` with the scope that was chosen."""


@dataclass(frozen=True)
class Material:
    """Everything read from the files of a study."""

    benchmark_meta: dict[str, Any]
    instances: tuple[Instance, ...]
    runs: tuple[Run, ...]
    scores: tuple[Score, ...]
    suggestions: tuple[Suggestion, ...] = ()
    invalidated: Mapping[str, EarlierInvalidation] = field(default_factory=dict)
    """By instance_id: instances that are not drawn, since a contest of an earlier study was upheld."""

    def generations(self) -> tuple[Generation, ...]:
        """The generations of all runs, in the order of their files."""
        return tuple(generation for run in self.runs for generation in run.generations)

    def groups(self) -> dict[str, str]:
        """Generation id -> the `group_id` of its instance."""
        group_of = {instance.instance_id: instance.group_id for instance in self.instances}
        return {one.generation_id: group_of[one.instance_id] for one in self.generations()}


def check_material(material: Material) -> None:
    """Raise InputError, saying what to do, unless every id is unique and refers to something that exists."""
    generations = material.generations()
    if not material.instances or not generations:
        what = "benchmark has no instances" if not material.instances else "generations files hold no line"
        raise InputError(f"the {what}; a study needs at least one")
    benchmarks = sorted({instance.benchmark_id for instance in material.instances})
    if len(benchmarks) > 1:
        raise InputError(f"the benchmark file mixes {', '.join(benchmarks)}; expected one benchmark_id")
    _once("instance", (instance.instance_id for instance in material.instances))
    _once("generation", (generation.generation_id for generation in generations))
    _once("score of generation", (score.generation_id for score in material.scores))
    known = [instance.instance_id for instance in material.instances]
    _within("generations", [generation.instance_id for generation in generations], known, "instances")
    ids = [generation.generation_id for generation in generations]
    scored = [score.generation_id for score in material.scores]
    _within("scores", scored, ids, "generations")
    _within(
        "suggestions", [suggestion.generation_id for suggestion in material.suggestions], ids, "generations"
    )
    _once(
        "suggestion",
        (f"{one.code} of generation {one.generation_id}" for one in material.suggestions),
    )
    unscored = set(ids) - set(scored)
    if unscored:
        raise InputError(
            f"{len(unscored)} of {len(ids)} generations have no score, for example {min(unscored)}; "
            "run `clinicnum score` on the same generations"
        )
    for run in material.runs:
        _check_benchmark(run.meta, material.benchmark_meta)


def _once(what: str, ids: Iterable[str]) -> None:
    ids = list(ids)
    odd = next((key for key in ids if not key.isprintable()), None)
    if odd is not None:
        raise InputError(f"{what} {odd!r} has a character that cannot be printed; expected a plain id")
    twice = sorted(key for key, count in Counter(ids).items() if count > 1)
    if twice:
        raise InputError(
            f"{what} {twice[0]} is given more than once, one of {len(twice)} such; expected each once"
        )


def _within(what: str, named: Sequence[str], known: Iterable[str], where: str) -> None:
    strangers = sorted(set(named) - set(known))
    if strangers:
        raise InputError(
            f"{len(strangers)} of the {what} name unknown {where}, for example {strangers[0]}; "
            "give the files that were made from one another"
        )


def _check_benchmark(run_meta: dict[str, Any], benchmark_meta: dict[str, Any]) -> None:
    ran_on, given = run_meta.get("benchmark_sha256"), benchmark_meta.get("sha256")
    if ran_on and given and ran_on != given:
        raise InputError(
            f"the generations were made on the benchmark with sha256 {str(ran_on)[:12]}, the one given has "
            f"{str(given)[:12]}; give the benchmark of that run"
        )
