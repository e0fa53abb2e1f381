"""The GRRAS items on the sample: what was rated, how many were planned, and how they were drawn."""

from collections.abc import Collection, Mapping, Sequence

from clinicnum.annotations.report.model_run import ModelRun, of_whose_script
from clinicnum.annotations.report.question_summary import (
    ids_and_texts,
    made_elsewhere,
    source_of,
    variants_drawn,
)
from clinicnum.annotations.report.sections.consensus_wording import hidden
from clinicnum.annotations.report.sections.methods_statistics import listed
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.rounded_figures import percent
from clinicnum.types import Instance

AND_VARIANTS = ", and on variants of these questions"
"""Said where answers to variants are in the sample, after the questions."""


def rated_of(view: StudyView) -> str:
    """Whose generations were drawn, and how many of each model where there are several."""
    drawn = {one.generation_id for one in view.tables.inclusions}
    if len(view.runs) == 1:
        return f"generations of {view.runs[0].name}"
    counts = [
        f"{sum(one.generation.generation_id in drawn for one in run.answers) or 'none'} of {run.name}"
        for run in view.runs
    ]
    return f"generations ({listed(counts)})"


def planned(tables: StudyTables) -> str:
    """The sample size that the study's design asked for, and its composition, as the beginning of a sentence;
    empty if none is stored.
    """
    design = tables.design
    if design is None or design.size is None:
        return ""
    right = f", {percent(design.correct_share, 0)} % of them scored right" * (design.include == "mixed")
    variants = f" and {how_many(design.variants, 'answer')} to variants" * bool(design.variants)
    return f"planned: {how_many(design.size, 'generation')}{right}{variants}; drawn{_scarce(tables)}: "


def _scarce(tables: StudyTables) -> str:
    """How many generations scored right there were, in brackets, where all were taken and fewer than planned;
    else empty.
    """
    design = tables.design
    if design is None or design.size is None or design.include != "mixed":
        return ""
    right = [one for one in tables.inclusions if one.stratum.endswith("/correct")]
    fewer = len(right) < round(design.correct_share * design.size)
    taken = right and fewer and all(one.probability == 1 for one in right)
    told = f" (fewer, as no more than {len(right)} are scored right)"
    return told if taken and len(tables.inclusions) < design.size else ""


def _scored(stratum: str) -> str:
    """The name of a stratum of items made elsewhere; “failure” alone is what annotators call a response."""
    name = stratum.removeprefix("external/external/")
    of = "variants " * name.startswith("variant/")
    name = name.removeprefix("variant/")
    return of + {"correct": "scored right", "failure": "scored wrong"}.get(name, name)


ALL_TAKEN = "all of these taken, in "
"""What stands before the strata where nothing was left out."""


def drawn(view: StudyView) -> str:
    """How the sample was drawn."""
    tables = view.tables
    strata = sorted({one.stratum for one in tables.inclusions})
    by = "operation/representation/automatic score"
    if made_elsewhere(tables.instances):
        by, strata = "automatic score", [_scored(one) for one in strata]
    every = all(one.probability == 1 for one in tables.inclusions)
    return (
        f"{len(tables.inclusions)} of {len(tables.generations)} generations{not_drawn(tables, view.runs)}, "
        f"{ALL_TAKEN if every else 'drawn by '}{len(strata)} "
        f"{'stratum' if len(strata) == 1 else 'strata'} of {by} "
        f"({', '.join(strata)}) with stored inclusion probabilities{variants_drawn(tables)}"
        f"{_hidden_of(view)}"
    )


def not_drawn(tables: StudyTables, runs: Sequence[ModelRun], more: str = "") -> str:
    """How many generations could not be sampled (errors, training or control items), and `more`; empty if all
    could.
    """
    failed, failing = sum(run.failed for run in runs), [run.name for run in runs if run.failed]
    whose = f", of {failing[0]}," if len(failing) == 1 < len(runs) else ""
    drawn = {one.generation_id for one in tables.inclusions}
    apart = {one.generation_id for one in tables.annotations if one.round in ("training", "control")} - drawn
    hold = "holds" if failed == 1 else "hold"
    were = "was a training or control item" if len(apart) == 1 else "were training or control items"
    error = f"an error{of_whose_script(runs)} in place of an answer"
    parts = [f"{failed} of them{whose} {hold} {error}"] * bool(failed)
    parts += [f"{len(apart)} {were}"] * bool(apart)
    return f" ({' and '.join(parts)} and could not be drawn{more})" if parts else ""


def _hidden_of(view: StudyView) -> str:
    """A clause: on how many generations agreement rests without judgements made with suggestions open; empty
    if there were no such judgements.
    """
    if not view.chosen.n_suggestions_open:
        return ""
    return f"; agreement rests on the {len(view.chosen.by_generation)} judged{hidden(view)}"


def origin(tables: StudyTables, sources: list[str], rated: Collection[Instance]) -> str:
    """The patients in the rated questions, and the source of their records or of imported items."""
    if made_elsewhere(rated):
        return f"{ids_and_texts(rated)}; source: {source_of(tables.benchmark)}{_part(tables, rated)}"
    subjects = len({one.subject_id for one in rated})
    return f"about {how_many(subjects, 'subject')}, records from {', '.join(sources) or 'elsewhere'}"


def _part(tables: StudyTables, rated: Collection[Instance]) -> str:
    """How many of the items imported from a file were rated, after the name of the file."""
    counts = tables.benchmark.get("counts")
    kinds = counts.get("templates") if isinstance(counts, Mapping) else None
    imported = sum(kinds.values()) if isinstance(kinds, Mapping) else 0
    n = len({one.base_id or one.instance_id for one in rated})
    if n > imported:
        return ", in whole or in part"
    return f", {f'all {n}' if n == imported else f'{n} of the {imported}'} items imported from it"
