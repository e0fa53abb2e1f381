"""Generate, load, inspect, save and lint benchmarks in a notebook."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from clinicnum.api.data_frames import to_frame
from clinicnum.api.make_benchmark import make_benchmark, plan_benchmark
from clinicnum.api.record_sources import Wanted
from clinicnum.io.benchmark import read_benchmark
from clinicnum.io.jsonl import checked_meta, write_jsonl
from clinicnum.lint.lint_file import lint as examine
from clinicnum.lint.lint_results import Finding, verdict
from clinicnum.prompt import messages_for
from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK, load_bank
from clinicnum.types import Instance

COLUMNS = (
    "instance_id",
    "group_id",
    "template_id",
    "operation",
    "representation",
    "variant",
    "subject_id",
    "context",
    "question",
    "answer",
    "answer_type",
    "unit",
    "decimals",
    "flags",
)


@dataclass(frozen=True)
class Benchmark:
    """Questions with their gold answers. `len()` counts them; iterating gives each `Instance`.

    Example:
        >>> import clinicnum
        >>> benchmark = clinicnum.generate(quota="retrieval=2", representation="structured", seed=1)
        >>> len(benchmark)
        2
        >>> benchmark.to_frame()["operation"].unique().tolist()
        ['retrieval']
    """

    instances: Mapping[str, Instance]
    """The instances by id, in order."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Metadata of the whole benchmark: seed, bank, counts, rejections; empty for a foreign file."""

    def __len__(self) -> int:
        return len(self.instances)

    def __iter__(self) -> Iterator[Instance]:
        return iter(self.instances.values())

    def to_frame(self) -> pd.DataFrame:
        """One row an instance: ids, operation, representation, context, question, gold (`answer`), unit."""
        return to_frame(self, COLUMNS)

    def prompts(self) -> dict[str, list[dict[str, str]]]:
        """The chat messages that ask each instance, by instance id, as chat servers take them.

        Raises InputError for an unknown prompt id or a checklist without answer points.
        """
        return {
            key: [{"role": one["role"], "content": one["content"]} for one in messages_for(instance)]
            for key, instance in self.instances.items()
        }

    def save(self, path: str | Path) -> None:
        """Write JSONL and its meta file, which every clinicnum command takes.

        Raises InputError if the folder does not exist.
        """
        write_jsonl(Path(path), self, dict(self.meta) if self.meta else None)


def load_benchmark(path: str | Path) -> Benchmark:
    """The benchmark in a JSONL file, as `clinicnum generate` or `clinicnum import items` writes it.

    Raises InputError naming a line that cannot be read, or if the file has changed since its meta was
    written.

    Example:
        >>> import clinicnum
        >>> clinicnum.generate(quota="aggregation=1", representation="note").save("bench.jsonl")
        >>> [instance.operation for instance in clinicnum.load_benchmark("bench.jsonl")]
        ['aggregation']
    """
    meta = checked_meta(Path(path))
    return Benchmark(read_benchmark(Path(path)), meta)


def generate(
    *,
    source: str = "synthetic",
    path: str | Path | None = None,
    columns: str = "",
    open_data: bool = False,
    preset: str = "small",
    quota: str = "",
    representation: str = "all",
    scope: str | None = None,
    bank: str = "base",
    notes: str | Path | None = None,
    variants: str = "",
    seed: int = 0,
) -> Benchmark:
    """A benchmark whose every gold is proven; the parameters are the options of `clinicnum generate`.

    `source` is synthetic, mimic-iv-ed or csv, read from `path`; `quota` counts questions by operation;
    `variants` are names such as `input.typo,numeric.relevant`. The same arguments give the same benchmark.
    Raises InputError for an argument that is unknown or contradicts another.

    Example:
        >>> import clinicnum
        >>> benchmark = clinicnum.generate(quota="comparison=1", representation="templated", seed=7)
        >>> next(iter(benchmark)).answer_type
        'datetime'
    """
    plan = plan_benchmark(
        Wanted(kind=source, path=None if path is None else Path(path), columns=columns, open_data=open_data),
        preset=preset,
        quota=quota,
        representation=representation,
        scope=scope,
        bank=bank,
        notes=None if notes is None else Path(notes),
        variants=variants,
        seed=seed,
    )
    instances, meta = make_benchmark(plan)
    return Benchmark({one.instance_id: one for one in instances}, meta)


def lint_benchmark(benchmark: Benchmark | str | Path) -> pd.DataFrame:
    """What is wrong with the golds of a benchmark: each is computed again from the text of its context.

    Takes a benchmark, its JSONL file, or a CSV with `question, answer, dataset_source`. One row a finding:
    `row, line, instance_id, template_id, rule, verdict` (wrong, ambiguous or defect), `message, gold,
    records_give`; no rows if nothing was found in what was examined. `attrs["checked"]` counts the items that
    could be examined, `attrs["not_checked"]` the others by reason, such as items made elsewhere. Raises
    InputError for a file that cannot be read.

    Example:
        >>> import clinicnum
        >>> findings = clinicnum.lint_benchmark(clinicnum.generate())
        >>> len(findings), findings.attrs["not_checked"]
        (0, {})
    """
    if isinstance(benchmark, Benchmark):
        with TemporaryDirectory() as folder:
            benchmark.save(Path(folder) / "benchmark.jsonl")
            return lint_benchmark(Path(folder) / "benchmark.jsonl")
    templates = {one.id: one for folder in (BASE_BANK, EXTENDED_BANK) for one in load_bank(folder)}
    examination = examine(Path(benchmark), tuple(templates.values()))
    findings = [one for one in examination.said if isinstance(one, Finding)]
    frame = pd.DataFrame(
        [(*_place(one), one.template, one.rule, verdict(one.rule), *_said(one)) for one in findings],
        columns=[
            *("row", "line", "instance_id", "template_id", "rule", "verdict"),
            *("message", "gold", "records_give"),
        ],
    )
    frame.attrs["checked"] = examination.tally.checked
    frame.attrs["not_checked"] = dict(examination.tally.not_checked)
    return frame


def _place(finding: Finding) -> tuple[int, int, str | None]:
    return finding.place.row, finding.place.line, finding.instance_id


def _said(finding: Finding) -> tuple[str, str | None, str | None]:
    return finding.message, finding.gold, finding.records_give
