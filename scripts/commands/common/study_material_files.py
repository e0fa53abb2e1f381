"""Read a study's material from files that belong together: a benchmark, its runs, scores and suggestions."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clinicnum.annotations.study_inputs import Material


def read_material(
    benchmark: Path, generations: Sequence[Path], scores: Sequence[Path], suggestions: Sequence[Path] = ()
) -> "Material":
    """The material in the files. Raises InputError for a file that is missing, invalid or belongs to other
    files.
    """
    from clinicnum.annotations.study_inputs import Material, Run
    from clinicnum.io.benchmark import read_benchmark
    from clinicnum.io.jsonl import checked_meta, read_jsonl
    from clinicnum.types import Generation, Score, Suggestion

    _check_origin(scores, "generations_sha256", generations, "generations")
    _check_origin(suggestions, "scores_sha256", scores, "scores")
    return Material(
        benchmark_meta=checked_meta(benchmark),
        instances=tuple(read_benchmark(benchmark).values()),
        runs=tuple(
            Run(meta=_named(path), generations=tuple(read_jsonl(path, Generation))) for path in generations
        ),
        scores=tuple(score for path in scores for score in read_jsonl(path, Score)),
        suggestions=tuple(one for path in suggestions for one in read_jsonl(path, Suggestion)),
    )


def _named(path: Path) -> dict[str, Any]:
    """The meta data of a file of generations, with the hash of the file as it is now, since the meta data of
    an unfinished run hold none; empty for a file without meta data.
    """
    from clinicnum.io.jsonl import checked_meta, sha256_file

    meta = checked_meta(path)
    return meta and {**meta, "sha256": sha256_file(path)}


def _check_origin(paths: Sequence[Path], key: str, origins: Sequence[Path], what: str) -> None:
    """Raise InputError if a file's meta data name other source files than `origins`."""
    from clinicnum.errors import InputError
    from clinicnum.io.jsonl import checked_meta, sha256_file

    known = {sha256_file(origin) for origin in origins if origin.is_file()}
    for path in paths:
        made_from = checked_meta(path).get(key)
        if made_from is not None and made_from not in known:
            raise InputError(
                f"{path}: was made from other {what} (sha256 {str(made_from)[:12]}) than those given; "
                f"score these {what} anew, or give those"
            )
