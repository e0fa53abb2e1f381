"""Runs in files: generations and their scores, checked against each other and their benchmark."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clinicnum.robustness import Run
    from clinicnum.types import Instance


class RunFiles:
    """Reads runs on one benchmark: each from a file of generations and one of their scores, or from
    generations alone, which it scores itself.
    """

    def __init__(self, path: Path, sha256: str, instances: "Mapping[str, Instance]") -> None:
        """`path` and `sha256` are those of the benchmark's file, `instances` its instances by id."""
        self.path, self.sha256, self.instances = path, sha256, instances

    def run(self, generations: Path, scores: Path) -> "Run":
        """The run in two files. Raises InputError if they do not match each other or the benchmark."""
        from clinicnum.errors import InputError
        from clinicnum.inference.model_metadata import asks_strict_form
        from clinicnum.io.jsonl import read_jsonl, sha256_file
        from clinicnum.robustness import join
        from clinicnum.types import Generation, Score

        metas = {path: self._checked_meta(path) for path in (generations, scores)}
        made_of = metas[scores].get("generations_sha256")
        if made_of is not None and made_of != sha256_file(generations):
            raise InputError(
                f"{scores}: are scores of other generations (sha256 {made_of}) than {generations}; "
                "name those, or score these again"
            )
        name = str(metas[generations].get("model") or generations.stem)
        found, judged = read_jsonl(generations, Generation), read_jsonl(scores, Score)
        form_asked = asks_strict_form(metas[generations], self.instances.values())
        return join(name, self.instances, found, judged, form_asked=form_asked)

    def scored(self, generations: Path) -> "Run":
        """The run in a file, scored here.

        Raises InputError for a file that cannot be read, is of another benchmark, or answers an instance
        twice or one that is not there, and for an instance that cannot be scored.
        """
        from clinicnum.inference.model_metadata import asks_strict_form
        from clinicnum.io.jsonl import read_jsonl
        from clinicnum.robustness import join
        from clinicnum.scoring import check_scorable, score
        from clinicnum.types import Generation

        meta = self._checked_meta(generations)
        found = list(read_jsonl(generations, Generation))
        scores = []
        for one in found:
            instance = self.instances.get(one.instance_id)
            if instance is not None:  # `join` names what is not
                check_scorable(instance)
                scores.append(score(instance=instance, generation=one))
        form_asked = asks_strict_form(meta, self.instances.values())
        name = str(meta.get("model") or generations.stem)
        return join(name, self.instances, found, scores, form_asked=form_asked)

    def _checked_meta(self, path: Path) -> dict[str, Any]:
        """The meta of a file of this benchmark. Raises InputError for another one's."""
        from clinicnum.errors import InputError
        from clinicnum.io.jsonl import checked_meta

        meta = checked_meta(path)
        if meta.get("benchmark_sha256") not in (None, self.sha256):
            raise InputError(
                f"{path}: is of another benchmark (sha256 {meta['benchmark_sha256']}) than {self.path}; "
                "name that benchmark, or make the file anew"
            )
        return meta

    def runs(self, generations: Sequence[Path], scores: Sequence[Path]) -> "list[Run]":
        """The runs in the files, in their order. Equal names are extended by the path of the generations, and
        so become distinct unless one file is given twice.

        Raises InputError if the numbers of files differ, and as `run` does.
        """
        from dataclasses import replace

        from clinicnum.errors import InputError

        if len(generations) != len(scores):
            raise InputError(
                f"{len(generations)} --generations and {len(scores)} --scores; expected one of each for a "
                "model"
            )
        runs = [self.run(*files) for files in zip(generations, scores, strict=True)]
        names = [run.name for run in runs]
        return [
            replace(run, name=f"{run.name} ({file})") if names.count(run.name) > 1 else run
            for run, file in zip(runs, generations, strict=True)
        ]
