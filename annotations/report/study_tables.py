"""The complete data of one study, from which its report is built, as frozen types.

It is loaded from the database or a bundle; a report depends on nothing else.
"""

from collections.abc import Iterable
from typing import Any

from pydantic import Field

from clinicnum.annotations.adjudication import Adjudication
from clinicnum.annotations.consensus import Protocol
from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_kind import StudyKind
from clinicnum.annotations.types import Annotation, Contest, Invalidation, Ruling, StudyStatus
from clinicnum.types import Frozen, Generation, Instance, Score, Suggestion


class CodeName(Frozen):
    """One code of the taxonomy with its display name."""

    code: str
    """`class` or `class.sub_class`."""
    name: str


class Inclusion(Frozen):
    """How one generation was sampled."""

    generation_id: str
    stratum: str
    probability: float = Field(gt=0, le=1)
    """Inclusion probability; its inverse is the weight."""
    second: str | None = Field(default=None, exclude_if=lambda other: other is None)
    """In a pairwise study, the generation that it was compared with."""


class Asides(Frozen):
    """Counts of what annotators did with items besides judging them, such as skipping and flagging."""

    skipped: int
    """Assignments of the main round that their annotators skipped and did not take up again."""
    flags: int
    """Notes asking somebody to look at an item, in all rounds, answered or not."""
    flags_answered: int
    """Those that an adjudicator answered."""


class Qualified(Frozen):
    """How many annotators were admitted to the items that count, in a study with a training threshold."""

    ended: int
    """Annotators who judged or put aside every training item."""
    by_training: int
    """Annotators who reached the threshold."""
    by_hand: int
    """Annotators whom the lead qualified though they had not reached it."""
    repeated: int
    """Annotators who were given the training again."""


class StudyTables(Frozen):
    """The complete data of one study."""

    study_name: str
    status: StudyStatus | None = None
    """None in bundles of earlier versions."""
    guideline_version: str
    guideline_examples: bool | None = None
    """Whether the guideline in force shows answers of the runs; None in bundles of earlier versions."""
    harm_defined: bool | None = None
    """Whether the guideline in force grades harm in the default's words (`guideline.HARMS_DEFINED`); None in
    bundles of earlier versions.
    """
    taxonomy_name: str
    taxonomy_version: str
    taxonomy_codes: tuple[CodeName, ...]
    """Both levels, in the order of the taxonomy."""
    overlap: int = Field(ge=1)
    """Number of annotators to whom each sampled generation is assigned."""
    design: Design | None = None
    """The settings with which the study was opened; None if they were not stored."""
    qualified: Qualified | None = None
    """None without a threshold, and in bundles of earlier versions."""
    consensus: Protocol | None = None
    """The consensus protocol of the results; None: `three_expert` once there is a valid decision, else
    majority.
    """
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
    """The generations sampled for annotation."""
    annotations: tuple[Annotation, ...]
    """All revisions; annotators have pseudonyms that differ between studies."""
    contests: tuple[Contest, ...] = ()
    adjudications: tuple[Adjudication, ...] = ()
    """All decisions in the order they were made, including superseded ones."""
    invalidations: tuple[Invalidation, ...] = ()
    """The instances excluded by upheld contests; some may not have been answered in this study."""
    rulings: tuple[Ruling, ...] = ()
    """In the order they were given."""
    suggestions: tuple[Suggestion, ...] = ()
    """Automatic guesses at causes, by generation and rank."""
    criteria: tuple[Criterion, ...] = ()
    """What answers are judged by, in all versions; empty in bundles of earlier versions."""
    references: dict[str, Judgement] = Field(default_factory=dict)
    """generation_id -> the reference judgement of a training or control item; empty in earlier bundles."""
    asides: Asides | None = None
    """Skipped assignments and flags; None in bundles of earlier versions."""

    @property
    def kind(self) -> StudyKind:
        """Whether annotators judged failures, compared pairs, gave ratings or checked claims.

        `failures` if the design was not stored.
        """
        return "failures" if self.design is None else self.design.kind

    @property
    def fields(self) -> tuple[CustomField, ...]:
        """The custom fields that the study adds to the judgement."""
        return () if self.design is None else self.design.fields


def annotator_kind(annotations: Iterable[Annotation]) -> str:
    """`human`, `simulated`, `human+simulated`, or `none` before the first annotation."""
    return "+".join(sorted({one.annotator_kind for one in annotations})) or "none"
