"""Where `clinicnum study create` draws from: files, or runs in the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clinicnum.annotations.study_design import Design
    from clinicnum.annotations.study_seed import Seed
    from clinicnum.db.work.studies.study_planning import PlannedStudy


@dataclass(frozen=True)
class DrawnFrom:
    """Where a study's material and references come from: files of runs, or runs in the database."""

    benchmark: Path | None
    generations: Sequence[Path]
    scores: Sequence[Path]
    suggestions: Sequence[Path]
    runs: Sequence[str]
    """Run ids, labels or keys of runs in the database."""
    references: Path | None
    """File of reference judgements for training and control items."""
    references_from: str | None
    """Name of a closed study whose decisions are the references."""

    def plan(
        self, annotators: Sequence[str], design: "Design", seed: "Seed", db: str | None
    ) -> "PlannedStudy":
        """Read the sources and plan the study; instances that a study in the database invalidated are left
        out of files as well.

        Raises InputError if both files and stored runs are given, or neither, and for invalid input.
        """
        from clinicnum.annotations.reference_judgements import Reference, references_by_id
        from clinicnum.db.engine import reading
        from clinicnum.db.work.studies.exclude_invalidated import without_invalidated
        from clinicnum.db.work.studies.study_planning import PlannedStudy, plan_stored
        from clinicnum.errors import InputError
        from clinicnum.io.jsonl import read_jsonl
        from clinicnum.scripts.commands.common.open_database import (
            existing_database,
            using_database_if_any,
        )
        from clinicnum.scripts.commands.common.study_material_files import read_material

        if self.references and self.references_from:
            raise InputError("--references and --references-from were both given; expected one of them")
        found = references_by_id(read_jsonl(self.references, Reference)) if self.references else {}
        if self.runs:
            if self.benchmark or self.generations or self.scores or self.suggestions:
                raise InputError(
                    "--run takes runs from the database; leave out the files, or leave out --run"
                )
            with existing_database(db) as engine, reading(engine) as session:
                return plan_stored(
                    session,
                    runs=self.runs,
                    annotators=annotators,
                    design=design,
                    seed=seed,
                    references=found,
                    references_from=self.references_from,
                )
        if self.references_from:
            raise InputError("--references-from looks among runs in the database; name them with --run")
        if not (self.benchmark and self.generations and self.scores):
            raise InputError("nothing to draw from; give --benchmark, --generations and --scores, or --run")
        material = read_material(self.benchmark, self.generations, self.scores, self.suggestions)
        with using_database_if_any(db) as earlier:
            if earlier is not None:
                with reading(earlier) as session:
                    material = without_invalidated(session, material)
        return PlannedStudy(material, found, tuple(annotators), design, seed)
