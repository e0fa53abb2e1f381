"""The parts of which a score is made, for kinds of answer that a benchmark's own paper scores in parts.

MEDEC (Ben Abacha et al. 2024, arXiv 2412.19260; MEDIQA-CORR 2024): the error flag, the sentence with the
error, and the correction, both over all notes (`composite`: 1 where both say that nothing is wrong, 0 where
one does, else ROUGE-1 F) and over the notes in which reference and model both correct a sentence, which may
be different ones; beside it, over those in which it is the same one. Answer points: the share of the points
found, as a mean over items (`answer_point_recall.macro_recall`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from clinicnum.scoring import medec
from clinicnum.scoring.answer_point_recall import macro_recall, recall_of
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.jackknife import Interval
from clinicnum.stats.two_way_clusters import accuracy_interval
from clinicnum.types import Generation, Instance, Scoring

Answered = tuple[Instance, Generation]


@dataclass(frozen=True)
class PartScore:
    """Mean of one part of the score, over the items that have it."""

    scoring: Scoring
    part: str
    n: int
    value: float
    """A share, or a mean of values from 0 to 1."""
    interval: Interval


PARTS: dict[str, str] = {
    "flag": "Error flag right",
    "sentence": "Error sentence right",
    "correction": "Correction, all notes (composite, ROUGE-1 F)",
    "correction_of_both": "Correction, where both correct a sentence, the same or not (ROUGE-1 F)",
    "correction_of_same": "Correction, where both correct the same sentence (ROUGE-1 F)",
    "points": "Answer points found (macro-recall)",
}
"""Part -> what it is called in tables."""


def part_scores(answers: Iterable[Answered], *, level: float = 0.95) -> tuple[PartScore, ...]:
    """Mean of each part of the score, over answers that are scored in parts; variants, flagged items and
    failed samples are left out.
    """
    counted = [
        (instance, generation)
        for instance, generation in answers
        if instance.variant is None and not instance.flags and generation.finish_reason != "error"
    ]
    notes = [pair for pair in counted if pair[0].scoring == "medec"]
    points = [pair for pair in counted if pair[0].scoring == "points"]
    return (*_of_notes(notes, level), *_of_points(points, level))


def medec_baselines(notes: Iterable[Instance]) -> tuple[float, float | None]:
    """What answers without skill score: the share of MEDEC's notes without an error, which is what always
    answering `CORRECT` has in flag, sentence and composite; and the mean ROUGE-1 F of the wrong sentences as
    they stand, None if no note has an error.
    """
    likeness = [medec.uncorrected(one) for one in notes]
    given = [one for one in likeness if one is not None]
    return likeness.count(None) / len(likeness), sum(given) / len(given) if given else None


def _of_notes(notes: Sequence[Answered], level: float) -> Sequence[PartScore]:
    judged = [(instance, medec.judged_parts(instance, generation)) for instance, generation in notes]
    parts: dict[str, Callable[[medec.MedecParts], float | None]] = {
        "flag": lambda one: float(one.flag),
        "sentence": lambda one: float(one.sentence),
        "correction": lambda one: one.correction,
        "correction_of_both": lambda one: one.rouge,
        "correction_of_same": lambda one: one.rouge if one.sentence else None,
    }
    found = []
    for part, value_of in parts.items():
        values = [(instance, value) for instance, one in judged if (value := value_of(one)) is not None]
        if values:
            found.append(_mean(part, values, level))
    return found


def _mean(part: str, values: Sequence[tuple[Instance, float]], level: float) -> PartScore:
    given = np.array([value for _, value in values])
    subjects = Subjects.of(one.subject_id for one, _ in values)
    templates = Subjects.of(one.template_id for one, _ in values)
    interval = accuracy_interval(given, subjects, templates, level=level)
    return PartScore("medec", part, len(values), float(given.mean()), interval)


def _of_points(items: Sequence[Answered], level: float) -> Sequence[PartScore]:
    recalls = [(instance, recall_of(instance, generation)) for instance, generation in items]
    found = macro_recall(recalls, level=level)
    if found.recall is None or found.interval is None:
        return ()
    return (PartScore("points", "points", found.n, found.recall, found.interval),)
