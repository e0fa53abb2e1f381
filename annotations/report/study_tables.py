"""What a report is built from: one study, loaded whole, as frozen types.

The database returns this, a bundle holds it, and nothing else reaches a report: no clock, no query, no file.
"""

from typing import Any

from pydantic import Field

from clinicnum.annotations.adjudication import Adjudication
from clinicnum.annotations.consensus import Protocol
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.types import Annotation, Contest, Invalidation, StudyStatus
from clinicnum.types import Frozen, Generation, Instance, Score, Suggestion


class CodeName(Frozen):
    """One code of the taxonomy, with the name that people read."""

    code: str
    """`class` or `class.sub_class`."""
    name: str


class Inclusion(Frozen):
    """How one generation came into the study's sample."""

    generation_id: str
    stratum: str
    probability: float = Field(gt=0, le=1)
    """Chance that the draw took this generation; its inverse is the weight."""


class StudyTables(Frozen):
    """Everything that a report of one study may say something about."""

    study_name: str
    status: StudyStatus | None = None
    """None in bundles of earlier versions."""
    guideline_version: str
    taxonomy_name: str
    taxonomy_version: str
    taxonomy_codes: tuple[CodeName, ...]
    """Both levels, in the order that the taxonomy declares."""
    overlap: int = Field(ge=1)
    """How many annotators each generation of the sample is assigned to."""
    design: Design | None = None
    """How the study was opened; None where that was not kept."""
    consensus: Protocol | None = None
    """What the results rest on; None: decisions (`three_expert`) once any stands, else the majority."""
    benchmark: dict[str, Any]
    """The benchmark's meta: id, sha256, seed, source, preset, bank release."""
    runs: dict[str, dict[str, Any]]
    """run_id -> the run's meta: model, revision, dtype, device, prompt hash, package versions, sha256."""
    instances: tuple[Instance, ...]
    """Every instance that the runs answered, in the benchmark's order."""
    generations: tuple[Generation, ...]
    """Every generation of the runs, annotated or not: accuracy is counted on all of them."""
    scores: tuple[Score, ...]
    """One per generation."""
    inclusions: tuple[Inclusion, ...]
    """The generations drawn for annotation; the others were not drawn."""
    annotations: tuple[Annotation, ...]
    """All revisions, annotators as study-scoped pseudonyms."""
    contests: tuple[Contest, ...] = ()
    adjudications: tuple[Adjudication, ...] = ()
    """All decisions, superseded ones too, in the order they were made."""
    invalidations: tuple[Invalidation, ...] = ()
    """The instances that upheld contests took out; some may not have been answered in this study."""
    suggestions: tuple[Suggestion, ...] = ()
    """Automatic guesses at causes that the study was given, by generation and rank."""
