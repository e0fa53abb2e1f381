"""The input files of a study: one benchmark, runs on it, scores and suggestions, checked to fit together."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
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

    drawable: frozenset[str] | None = None
    """Ids of the generations that can be drawn; None if nothing but the design restricts the draw."""

    def generations(self) -> tuple[Generation, ...]:
        """The generations of all runs, in the order of their files."""
        return tuple(generation for run in self.runs for generation in run.generations)

    def groups(self) -> dict[str, str]:
        """Generation id -> group id, the same for all answers to the same question."""
        group_of = {instance.instance_id: instance.group_id for instance in self.instances}
        same = same_questions(self.instances)
        return {
            one.generation_id: same.get(group, group)
            for one in self.generations()
            for group in (group_of[one.instance_id],)
        }


def same_questions(instances: Iterable[Instance]) -> dict[str, str]:
    """Group id -> the smallest group id with an instance of equal text, question and options.

    Imported items may repeat a question under other group ids; who has seen one reference knows the other.
    Our own group ids already cover this. Groups without a repetition are left out.
    """
    asked: dict[tuple[str, str, frozenset[str]], set[str]] = {}
    for one in instances:
        if one.operation == "external":
            asked.setdefault((one.context, one.question, frozenset(one.options)), set()).add(one.group_id)
    least: dict[str, str] = {}

    def root(group: str) -> str:
        while (lower := least.get(group, group)) != group:
            group = lower
        return group

    for groups in asked.values():
        if len(groups) > 1:
            roots = {root(group) for group in groups}
            least |= dict.fromkeys(roots, min(roots))
    return {group: root(group) for group in least}


def check_material(material: Material) -> None:
    """Raise InputError, saying what to do, unless every id is unique and refers to something that exists."""
    generations = material.generations()
    if not material.instances or not generations:
        if not material.instances:
            raise InputError("the benchmark has no instances; a study needs at least one")
        raise InputError("the generations files hold no line; a study needs at least one")
    benchmarks = sorted({instance.benchmark_id for instance in material.instances})
    if len(benchmarks) > 1:
        raise InputError(
            "the benchmark file mixes {benchmarks}; expected one benchmark_id",
            benchmarks=", ".join(benchmarks),
        )
    _once(Translatable("instance"), (instance.instance_id for instance in material.instances))
    _once(Translatable("generation"), (generation.generation_id for generation in generations))
    _once(Translatable("score of generation"), (score.generation_id for score in material.scores))
    generation_word = Translatable("generations")
    known = [instance.instance_id for instance in material.instances]
    _within(
        generation_word,
        [generation.instance_id for generation in generations],
        known,
        Translatable("instances"),
    )
    ids = [generation.generation_id for generation in generations]
    scored = [score.generation_id for score in material.scores]
    _within(Translatable("scores"), scored, ids, generation_word)
    _within(
        Translatable("suggestions"),
        [suggestion.generation_id for suggestion in material.suggestions],
        ids,
        generation_word,
    )
    _once(
        Translatable("suggestion"),
        (f"{one.code} of generation {one.generation_id}" for one in material.suggestions),
    )
    unscored = set(ids) - set(scored)
    if unscored:
        raise InputError(
            "{n} of {total} generations have no score, for example {example}; score the same generations",
            on_command_line="clinicnum score",
            n=len(unscored),
            total=len(ids),
            example=min(unscored),
        )
    for run in material.runs:
        _check_benchmark(run.meta, material.benchmark_meta)


def _once(what: Translatable, ids: Iterable[str]) -> None:
    ids = list(ids)
    odd = next((key for key in ids if not key.isprintable()), None)
    if odd is not None:
        raise InputError(
            "{what} {odd!r} has a character that cannot be printed; expected a plain id", what=what, odd=odd
        )
    twice = sorted(key for key, count in Counter(ids).items() if count > 1)
    if twice:
        raise InputError(
            "{what} {key} is given more than once, one of {n} such; expected each once",
            what=what,
            key=twice[0],
            n=len(twice),
        )


def _within(what: Translatable, named: Sequence[str], known: Iterable[str], where: Translatable) -> None:
    strangers = sorted(set(named) - set(known))
    if strangers:
        raise InputError(
            "{n} of the {what} name unknown {where}, for example {example}; give the files that were made "
            "from one another",
            n=len(strangers),
            what=what,
            where=where,
            example=strangers[0],
        )


def _check_benchmark(run_meta: dict[str, Any], benchmark_meta: dict[str, Any]) -> None:
    ran_on, given = run_meta.get("benchmark_sha256"), benchmark_meta.get("sha256")
    if ran_on and given and ran_on != given:
        raise InputError(
            "the generations were made on the benchmark with sha256 {made_on}, the one given has {given}; "
            "give the benchmark of that run",
            made_on=str(ran_on)[:12],
            given=str(given)[:12],
        )
