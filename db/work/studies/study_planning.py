"""Plan a study, preview it, and open exactly what was previewed.

Planning reads, counts and computes suggestions before the writing transaction begins, so that no annotator
has to wait for it.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from sqlmodel import Session

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.draw_study_items import Sample, draw_items, left_out, say_left_out
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.masked_model_names import mask_model
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_inputs import Material, check_material
from clinicnum.annotations.study_preview import SECONDS_AN_ITEM, Preview, preview_study
from clinicnum.annotations.study_seed import Seed
from clinicnum.annotations.suggestion_computation import with_suggestions
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.types import StudySummary
from clinicnum.credentialed_data import data_use
from clinicnum.db.work.accounts.users import COMMAND_LINE
from clinicnum.db.work.runs.store_study_material import LoadedRows
from clinicnum.db.work.runs.stored_runs import load_stored
from clinicnum.db.work.studies.exclude_invalidated import without_invalidated
from clinicnum.db.work.studies.references_from_closed_study import closed_references
from clinicnum.db.work.studies.study_lifecycle import create_study, find_annotator
from clinicnum.errors import Conflict
from clinicnum.translatable_text import Translatable


@dataclass(frozen=True)
class PlannedStudy:
    """The material and the design of a planned study."""

    material: Material
    references: Mapping[str, Judgement]
    annotators: tuple[str, ...]
    """Account names."""
    design: Design
    seed: Seed
    loaded: LoadedRows | None = None
    """Row ids of the material, if it came from the database."""
    simulated: int = 0
    """Number of simulated annotators, 0 if unknown."""

    @property
    def data_use(self) -> str | None:
        """The notice to show with credentialed data; None if the records are open."""
        runs = (run.meta for run in self.material.runs)
        return data_use(self.material.benchmark_meta, self.material.instances, *runs)

    @property
    def left_out(self) -> Translatable | None:
        """Instances left out as an earlier study invalidated them, in words; else None."""
        return say_left_out(left_out(self.material, self.design.where))

    def model_in_name(self, name: str) -> Translatable | None:
        """A warning that a study of this name tells its annotators a model; None if it does not."""
        models = [one for run in self.material.runs for one in [run.meta.get("model")] if one]
        told = [model for model in dict.fromkeys(models) if mask_model(name, model) != name]
        if not told:
            return None
        return Translatable(
            "Annotators see the name “{name}”. From it they would learn that they judge answers of {models}, "
            "which is hidden from them everywhere else. Choose a name that says nothing of the model.",
            name=name,
            models=", ".join(told),
        )

    def sample(self) -> Sample:
        """The items that the study would have. Raises InputError if they cannot be drawn."""
        return draw_items(
            self.material,
            self.references,
            design=self.design,
            annotators=len(self.annotators),
            seed=self.seed,
        )

    def preview(self, *, seconds_an_item: int = SECONDS_AN_ITEM) -> Preview:
        """A preview of the study. Raises InputError in the cases in which opening it would."""
        check_material(self.material)
        return preview_study(
            self.material,
            self.sample(),
            design=self.design,
            annotators=len(self.annotators),
            simulated=self.simulated,
            seconds_an_item=seconds_an_item,
        )


def new_seed() -> str:
    """A seed that cannot be guessed."""
    return secrets.token_hex(16)


def plan_stored(
    session: Session,
    *,
    runs: Sequence[str],
    annotators: Sequence[str],
    design: Design,
    seed: Seed,
    references: Mapping[str, Judgement] | None = None,
    references_from: str | None = None,
    drawable: frozenset[str] | None = None,
) -> PlannedStudy:
    """Plan a study on stored runs.

    If given, only generations with row ids in `drawable` are drawn; all count in the accuracy. References for
    training and control items are given, or taken from a closed study (`references_from`). Instances that
    earlier studies invalidated are left out. Suggestions are computed for the drawn items unless they stay
    hidden. Raises InputError for runs, annotators or references that cannot be used, and if the sample cannot
    be drawn.
    """
    people = [find_annotator(session, name) for name in annotators]
    stored = load_stored(session, runs=runs)
    material = without_invalidated(session, stored.material)
    if drawable is not None:
        rows = stored.loaded.generations.items()
        material = replace(material, drawable=frozenset(key for key, row in rows if row in drawable))
    if references_from:
        references = closed_references(session, references_from, loaded=stored.loaded)
    planned = PlannedStudy(
        material=material,
        references=references or {},
        annotators=tuple(one.name for one in people),
        design=design,
        seed=seed,
        loaded=stored.loaded,
        simulated=sum(one.annotator_kind == "simulated" for one in people),
    )
    if design.suggestions == "hidden":
        return planned
    drawn = {one.generation_id for one in planned.sample().placed}
    return replace(planned, material=with_suggestions(material, drawn=drawn))


def open_planned(
    session: Session,
    planned: PlannedStudy,
    *,
    name: str,
    taxonomy: Taxonomy,
    guideline: str = "",
    criteria: Sequence[Criterion] = (),
    deadline: date | None = None,
    actor: str = COMMAND_LINE,
) -> StudySummary:
    """Open the study as planned. Raises InputError as `create_study` does, and Conflict if further instances
    were invalidated since; nothing is then stored.
    """
    if without_invalidated(session, planned.material).invalidated != planned.material.invalidated:
        raise Conflict(
            "A contest was upheld after the study was planned, so other answers would be drawn; nothing was "
            "opened. Preview the study again."
        )
    return create_study(
        session,
        name=name,
        material=planned.material,
        loaded=planned.loaded,
        annotators=planned.annotators,
        design=planned.design,
        seed=planned.seed,
        taxonomy=taxonomy,
        references=planned.references,
        guideline=guideline,
        criteria=criteria,
        deadline=deadline,
        actor=actor,
    )
