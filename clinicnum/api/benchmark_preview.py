"""Before a benchmark is generated: a few of its questions, and how many it will have."""

from collections.abc import Iterable
from dataclasses import dataclass

from clinicnum.api.make_benchmark import plan_benchmark
from clinicnum.api.record_sources import Wanted
from clinicnum.generation.presets import preset as preset_named
from clinicnum.release import Release
from clinicnum.templates.template import ASKABLE
from clinicnum.types import Instance

SHOWN = 3


@dataclass(frozen=True)
class BenchmarkSample:
    """Sample questions and the size of a benchmark."""

    instances: tuple[Instance, ...]
    """One instance per sample question, representations taking turns; the last is a variant, if any are asked
    for."""
    questions: int
    """Questions of the whole benchmark."""
    representations: int
    variants: int
    """Number of variant kinds; some cannot be made of every question."""

    @property
    def most_instances(self) -> int:
        """Instances if every variant can be made of every question."""
        return self.questions * self.representations * (1 + self.variants)


def sample_benchmark(
    *, preset: str, bank: str | Release, representation: str, variants: str, seed: int
) -> BenchmarkSample:
    """Generate one question of each operation from made-up records, with the options of `clinicnum generate`.

    Raises InputError for an unknown option.
    """
    wanted = preset_named(preset)
    plan = plan_benchmark(
        Wanted(kind="synthetic", path=None, columns="", open_data=False),
        preset=preset,
        quota=",".join(f"{operation}=1" for operation in wanted.quotas),
        representation=representation,
        scope=None,
        bank=bank,
        notes=None,
        variants=variants,
        seed=seed,
    )
    asked = {one.operation for one in plan.templates if one.status in ASKABLE}
    by_group: dict[str, list[Instance]] = {}
    for instance in plan.benchmark().instances:
        by_group.setdefault(instance.group_id, []).append(instance)
    return BenchmarkSample(
        instances=tuple(_chosen(list(by_group.values())[:SHOWN], bool(plan.variants))),
        questions=sum(n for operation, n in wanted.quotas.items() if operation in asked),
        representations=len(plan.representations),
        variants=len(plan.variants),
    )


def _chosen(groups: list[list[Instance]], with_variant: bool) -> Iterable[Instance]:
    for place, group in enumerate(groups):
        variants = [one for one in group if one.variant is not None]
        if with_variant and variants and place == len(groups) - 1:
            yield variants[0]
        else:
            bases = [one for one in group if one.variant is None]
            yield bases[place % len(bases)]
