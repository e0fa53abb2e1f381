"""Suggestions of causes for many generations at once."""

from collections.abc import Sequence

from clinicnum.diagnosis.chance_matches import Rates
from clinicnum.diagnosis.suggest import suggest
from clinicnum.types import Generation, Instance, Score, Suggestion

Answered = tuple[Instance, Generation, Score]


def calls_for_cause(score: Score, *, form_asked: bool) -> bool:
    """Whether a score needs a cause suggested: wrong value or, where a form was asked for, wrong form."""
    return score.status != "error" and not (score.strict if form_asked else score.lenient)


def suggest_all(answered: Sequence[Answered], *, rates: Rates) -> list[Suggestion]:
    """Suggested causes of all failed answers, in the order of the answers; `rates` are chance match rates."""
    by_line: list[Sequence[Suggestion]] = [()] * len(answered)
    # Subject by subject, as what is made of a context's records then serves all its questions.
    for line in sorted(range(len(answered)), key=lambda i: answered[i][0].subject_id):
        instance, generation, score = answered[line]
        by_line[line] = suggest(instance=instance, generation=generation, score=score, rates=rates)
    return [one for found in by_line for one in found]
