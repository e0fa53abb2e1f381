"""Sentences on the answers of a pairwise, ratings or claims study: which questions they are to, how they were
drawn, and how many were cut off.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from clinicnum.annotations.report.answer_parsing_notes import values_judged
from clinicnum.annotations.report.model_run import ModelRun, in_a_sentence
from clinicnum.annotations.report.sections.grras_sample import drawn, not_drawn, origin
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_kind import KINDS
from clinicnum.stats.jackknife import how_many

FINISH = "finish_reason in the runs' generations"
"""The source of figures on texts that were cut off."""
_NO_ANSWER = ("unparsable", "truncated", "empty")
"""Statuses of texts in which the scorer found no whole answer."""


def questions_judged(view: StudyView) -> str:
    """How many items the judged answers are to, and where these are from, as a sentence; empty without
    any.
    """
    rated = {one.instance_id: one for one in map(view.instance, view.chosen.by_generation)}.values()
    sources = sorted({record.source for one in rated for record in one.records})
    asked = f"The judged answers are to {how_many(len(rated), 'item')}"
    values = values_judged(view.runs)
    return f" {asked} {origin(view.tables, sources, rated)}.{values}" if rated else ""


def cut_off_answers(view: StudyView) -> str:
    """How many judged answers of each model its limit of length cut off, and how many of its generations are
    errors and so were left out, as sentences; empty without any.
    """
    told = [
        f"{cut} of the {judged} judged answers of {in_a_sentence(name)}"
        for name, (cut, judged) in cut_off_by_run(view).items()
        if cut
    ]
    said = f" Cut off by a limit of length ({FINISH}: length): {', '.join(told)}." * bool(told)
    lost = ", ".join(map(_lost, (run for run in view.runs if run.failed)))
    if not lost:
        return said
    return f"{said} Left out, as errors in place of an answer: {lost}{_left_alone(view)}.{_unread(view)}"


def _lost(run: ModelRun) -> str:
    """How many generations of a run are errors, and whose errors they are where that is known."""
    whose = " (MedCalc-Bench's script failed, on what it read or by its own fault, and counts it as wrong)"
    return f"{run.failed} of {in_a_sentence(run.name)}{whose * run.keeps_readings}"


def _left_alone(view: StudyView) -> str:
    """How many answers have no other to be compared with, as the others are errors, after a semicolon; empty
    outside pairwise studies and without any.
    """
    alone = ", ".join(f"{n} of {in_a_sentence(name)}" for name, n in _alone(view).items())
    return f"; with them, having no other answer to stand against, {alone}" if alone else ""


def _alone(view: StudyView) -> Mapping[str, int]:
    """Name of a run -> how many questions it alone answers, as the generations of all others are errors."""
    if not KINDS[view.tables.kind].pairs:
        return {}
    asked: dict[str, dict[str, bool]] = defaultdict(dict)
    for run in view.runs:
        for one in run.answers:
            known = asked[one.instance.instance_id]
            known[run.name] = known.get(run.name, False) or not one.failed
    answering = ([name for name, some in of.items() if some] for of in asked.values() if len(of) > 1)
    return Counter(names[0] for names in answering if len(names) == 1)


def _unread(view: StudyView) -> str:
    """In how many judged texts the scorer found no whole answer, as a sentence, where MedCalc-Bench's script
    gave errors instead; else empty.
    """
    if not any(run.failed and run.keeps_readings for run in view.runs):
        return ""
    judged = set(_judged(view))
    found = {
        run.name: sum(
            one.generation.generation_id in judged and one.score.status in _NO_ANSWER for one in run.answers
        )
        for run in view.runs
        if not run.keeps_readings
    }
    told = ", ".join(f"{n} of {in_a_sentence(name)}" for name, n in found.items() if n)
    return f" Judged though the scorer found no whole answer in the text: {told}." * bool(told)


def cut_off_by_run(view: StudyView) -> dict[str, tuple[int, int]]:
    """Name of each run -> how many of its judged answers its limit of length cut off, and how many it has."""
    judged = set(_judged(view))
    found = {}
    for run in view.runs:
        mine = [one.generation for one in run.answers if one.generation.generation_id in judged]
        found[run.name] = sum(one.finish_reason == "length" for one in mine), len(mine)
    return found


def _judged(view: StudyView) -> Iterable[str]:
    """The generations that were judged, of a pair both."""
    seconds = {one.generation_id: one.second for one in view.tables.inclusions}
    for first in view.chosen.by_generation:
        yield first
        if (second := seconds.get(first)) is not None:
            yield second


def weighing(view: StudyView, figures: str = "Answers") -> str:
    """Whether figures are weighted by the chances of being drawn, as a sentence without its full stop."""
    weights = view.sampling_weights
    if weights is None:
        return "Answers are not weighted, as it is not stored how each was drawn"
    if _same_weights(view):
        return "Answers are not weighted, as each had the same chance of being drawn"
    return f"{figures} are weighted by the inverse of each answer's probability of being drawn"


def weights_column(view: StudyView) -> str:
    """The column of scores.csv with the chances of being drawn, where they weigh answers, to end a source."""
    return ", inclusion_probability" * (view.sampling_weights is not None and not _same_weights(view))


def _same_weights(view: StudyView) -> bool:
    weights = view.sampling_weights or {}
    return len({weights[key] for key in view.chosen.by_generation if key in weights}) == 1


def draw_said(view: StudyView) -> str:
    """How the answers or pairs were drawn, and for how many they stand, as sentences."""
    tables = view.tables
    if not tables.inclusions:
        return ""
    pairs = KINDS[tables.kind].pairs
    unit = "pair" if pairs else "generation"
    said = drawn(view)
    chances = {one.probability for one in tables.inclusions}
    if pairs:
        said = f"{how_many(len(tables.inclusions), 'pair')} of {len(tables.generations)} generations"
        n = sum(_alone(view).values())
        more = f"; {n} more {'has' if n == 1 else 'have'} no other answer to be paired with" * bool(n)
        said += not_drawn(tables, view.runs, more)
        if chances == {1.0}:
            return f" Taken, each with inclusion probability 1: {said}."
        said += ", with stored inclusion probabilities"
    elif _drawn_together(tables):
        said += ", the same for all: one systematic draw went through the strata in turn"
    total = round(sum(1.0 / one.probability for one in tables.inclusions))
    return f" Drawn: {said}. By the inverse of these, what was drawn stands for {how_many(total, unit)}."


def _drawn_together(tables: StudyTables) -> bool:
    """Whether the items are only a part of those available, drawn systematically through several strata in
    turn, so that each item has the same inclusion probability.
    """
    chances = {one.probability for one in tables.inclusions}
    strata = {one.stratum for one in tables.inclusions}
    design = tables.design
    together = design is not None and design.include == "all" and not design.variants
    return together and len(chances) == 1 < len(strata) and max(chances) < 1
