"""`clinicnum samples`: several answers of a model to the same questions, drawn at a temperature."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from clinicnum.robustness import SampleFigures

_SAME = ("model", "model_fingerprint", "prompt_hash", "dtype", "quantize", "template_date", "server_says")
"""Meta entries that samples of one model share, besides their decoding."""


def samples(
    generations: Annotated[
        list[Path], typer.Argument(help="Generations, one file a sample; of several models if you like.")
    ],
    benchmark: Annotated[Path, typer.Option(help="Instances, as `clinicnum generate` writes them.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
) -> None:
    """Compare samples: accuracy, questions right in all, some or none, agreement, majority vote and pass@k.

    The answers are scored here. Files of one model, prompt and temperature are samples of each other.

    Example: clinicnum samples --benchmark bench.jsonl g.jsonl g.sample-*.jsonl
    """
    from dataclasses import asdict

    from clinicnum.credentialed_data import data_use, mark
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.io.jsonl import checked_meta, sha256_file
    from clinicnum.robustness import compare_samples
    from clinicnum.scripts.commands.common.credentialed_warning import warn
    from clinicnum.scripts.commands.common.run_files import RunFiles

    instances = read_benchmark(benchmark)
    metas = {path: checked_meta(path) for path in generations}
    _check_each_once(generations, metas)
    said = data_use(checked_meta(benchmark), instances.values(), *metas.values())
    files = RunFiles(benchmark, sha256_file(benchmark), instances)
    groups: dict[str, list[Path]] = {}
    for path, meta in metas.items():
        groups.setdefault(_sampled_from(meta), []).append(path)
    found = [
        (_name(metas[paths[0]], paths), compare_samples([files.scored(path) for path in paths]))
        for paths in groups.values()
    ]
    warn(said)
    if as_json:
        told = [{"model": name, **asdict(figures)} for name, figures in found]
        typer.echo(json.dumps({"models": told} | mark(said), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        typer.echo("\n\n".join(_text(name, figures) for name, figures in found))


def _check_each_once(paths: list[Path], metas: Mapping[Path, Mapping[str, Any]]) -> None:
    from clinicnum.errors import InputError

    ids = [str(metas[path].get("run_id") or path.resolve()) for path in paths]
    twice = next((path for path, one in zip(paths, ids, strict=True) if ids.count(one) > 1), None)
    if twice is not None:
        raise InputError(f"{twice}: its sample is given twice; name each file once")


def _sampled_from(meta: Mapping[str, Any]) -> str:
    """Model, prompt and decoding of a file as one text, equal for all samples of one model."""
    decoding = {key: value for key, value in _decoding(meta).items() if key not in ("seed", "sample")}
    return json.dumps([*(meta.get(key) for key in _SAME), decoding], sort_keys=True)


def _decoding(meta: Mapping[str, Any]) -> Mapping[str, Any]:
    found = meta.get("decoding")
    return found if isinstance(found, dict) else {}


def _name(meta: Mapping[str, Any], paths: list[Path]) -> str:
    """The model, its temperature and its files."""
    temperature = _decoding(meta).get("temperature")
    drawn = "" if temperature is None else f" at temperature {temperature}"
    more = f" and {len(paths) - 1} more" * (len(paths) > 1)
    return f"{meta.get('model') or paths[0].stem}{drawn} ({paths[0].name}{more})"


def _text(name: str, found: "SampleFigures") -> str:
    from clinicnum.scripts.commands.text.accuracy import aligned, percent
    from clinicnum.stats.jackknife import how_many

    rows = {
        "mean accuracy": found.accuracy,
        "right in all samples": found.right_in_all,
        "right in some": found.right_in_some,
        "right in none": found.right_in_none,
        "agreement of two samples": found.agreement,
        "majority vote": found.majority,
        **{f"pass@{k}": figure for k, figure in found.pass_at.items()},
    }
    lines = [("", "", "95 % interval")]
    for title, one in rows.items():
        low, high = one.interval.low, one.interval.high
        between = "-" if low is None or high is None else f"{percent(low)} to {percent(high)}"
        lines.append((title, percent(one.value), between))
    reasons = {one.undefined or one.interval.undefined for one in rows.values()} - {None}
    left_out = f"; {found.n_left_out} left out, not answered in every sample" * (found.n_left_out > 0)
    return "\n".join(
        [
            f"{name}: {how_many(found.n_samples, 'sample')} of {how_many(found.n_questions, 'question')}"
            f"{left_out}",
            *aligned(lines, texts=1),
            *(f"undefined (-): {reason}" for reason in sorted(map(str, reasons))),
        ]
    )
