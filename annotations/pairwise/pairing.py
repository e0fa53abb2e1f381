"""Which answers to a question are set side by side, and which of the two an annotator sees on the left."""

from collections.abc import Iterable, Mapping

from clinicnum.annotations.preference_question import Side
from clinicnum.annotations.study_seed import Seed
from clinicnum.io.jsonl import content_id


def pair_answers(answers: Iterable[tuple[str, str, str]], *, seed: Seed) -> Mapping[str, str]:
    """First generation -> second, of (instance, run, generation) rows; of a run's answers to an instance the
    first row counts.

    The runs that answered an instance are put into a circle by the seed, and each is paired with the next:
    two runs make one pair, three all three, more as many pairs as runs, each pair of them equally often. So
    each generation is the first of at most one pair, and being first says nothing of the run.
    """
    by_instance: dict[str, dict[str, str]] = {}
    for instance, run, generation in answers:
        by_instance.setdefault(instance, {}).setdefault(run, generation)
    found: dict[str, str] = {}
    for instance, of_run in by_instance.items():
        drawn = {content_id(["pair", seed, instance, run]): one for run, one in of_run.items()}
        circle = [drawn[key] for key in sorted(drawn)]
        pairs = list(zip(circle, [*circle[1:], circle[0]], strict=True))
        found |= dict(pairs[:1] if len(circle) == 2 else pairs if len(circle) > 2 else [])
    return found


def left_side(*, seed: Seed, generation: str, annotator: str, round_: str) -> Side:
    """Which answer of the pair with this first generation an annotator sees on the left in a round."""
    drawn = int(content_id(["left", seed, generation, annotator, round_]), 16)
    return "first" if drawn % 2 else "second"
