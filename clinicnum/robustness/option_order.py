"""Consistency and robust accuracy over five orders of the options of the same question.

Consistency is the share of questions for which the same option, by its content, is chosen in all five
orders; an answer from which no option can be read is inconsistent. Robust accuracy is the share that is
right in all five. Only questions with an answer in all five orders count; the others are counted separately.
`places` counts answers by the position they chose: the gold is in each position about equally often, so a
model that reads the options has no favourite position.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from clinicnum.prompt import option_letter
from clinicnum.robustness.run_answers_and_pairs import (
    SHUFFLE,
    Answer,
    Run,
    representations_of,
    same_value,
    written_in,
)
from clinicnum.robustness.variant_effects import NO_RERUN
from clinicnum.stats.interval_estimate import Figure, share, undefined_figure
from clinicnum.types import Instance

ORDERS = ("1", "2", "3", "4", "5")
INCOMPLETE = "no question has an answer in each of options.shuffle.1 to options.shuffle.5"


@dataclass(frozen=True)
class OptionsRow:
    """The figures on five orders of the options, for one representation."""

    kind: str
    """The variant without the order's number."""
    representation: str
    consistency: Figure
    robust_accuracy: Figure
    accuracy: Figure
    """Accuracy of single orders, for comparison."""
    rerun_consistency: Figure
    """Share of questions for which a re-run chooses in each order what the run chose there."""
    rerun_robust_accuracy: Figure
    """Robust accuracy of the re-run."""
    places: tuple[int, ...]
    """How often the option at each position was chosen, over all orders."""
    n_incomplete: int
    """Questions left out because an order was not answered."""


Five = Mapping[str, Answer]
"""Order -> answer, up to five."""


def options_rows(run: Run, rerun: Run | None) -> tuple[OptionsRow, ...]:
    """One row per shuffle variant and representation; empty if no options were shuffled."""
    rows = []
    questions = _questions(run)
    for kind in sorted({kind for kind, _ in questions}):
        of_kind = [(five, next(iter(five.values()))) for (name, _), five in questions.items() if name == kind]
        for representation in representations_of(one for _, one in of_kind):
            here = [five for five, one in of_kind if written_in(representation, one)]
            rows.append(_row(kind, representation, here, rerun))
    return tuple(rows)


def chosen(instance: Instance, parsed: str | None) -> int | None:
    """Index of the option that an answer chose, by letter or content; None if it chose none."""
    if parsed is None:
        return None
    letters = [option_letter(place) for place in range(len(instance.options))]
    if parsed.strip().upper() in letters:
        return letters.index(parsed.strip().upper())
    places = [place for place, text in enumerate(instance.options) if same_value(parsed.strip(), text)]
    return places[0] if len(places) == 1 else None


def content(answer: Answer) -> str | None:
    """The text of the option that an answer chose; None if it chose none."""
    place = chosen(answer.instance, answer.score.parsed)
    return None if place is None else answer.instance.options[place]


def _questions(run: Run) -> dict[tuple[str, str], Five]:
    """(kind, base id) -> its five orders, for questions without V7 flags."""
    found: dict[tuple[str, str], dict[str, Answer]] = {}
    for answer in run.answers.values():
        before, sign, after = (answer.instance.variant or "").partition(SHUFFLE)
        if sign and not answer.instance.flags:
            kind = f"{before}{SHUFFLE.rstrip('.')}{after[1:]}"
            found.setdefault((kind, answer.instance.base_id or ""), {})[after[:1]] = answer
    return dict(found)


def _row(kind: str, representation: str, here: Sequence[Five], rerun: Run | None) -> OptionsRow:
    whole = [five for five in here if set(five) == set(ORDERS)]
    singles = [answer for five in whole for answer in five.values()]
    width = max((len(answer.instance.options) for answer in singles), default=0)
    picks = [chosen(answer.instance, answer.score.parsed) for answer in singles]
    return OptionsRow(
        kind=kind,
        representation=representation,
        consistency=_share(whole, _consistent),
        robust_accuracy=_share(whole, _all_right),
        accuracy=share([(a.subject, float(a.right)) for a in singles], without=INCOMPLETE),
        rerun_consistency=_again(whole, rerun, _unmoved),
        rerun_robust_accuracy=_again(whole, rerun, lambda _, other: _all_right(other)),
        places=tuple(picks.count(place) for place in range(width)),
        n_incomplete=len(here) - len(whole),
    )


def _consistent(five: Five) -> bool:
    contents = {content(answer) for answer in five.values()}
    return len(contents) == 1 and None not in contents


def _all_right(five: Five) -> bool:
    return all(answer.right for answer in five.values())


def _unmoved(five: Five, other: Five) -> bool:
    pairs = [(content(answer), content(other[order])) for order, answer in five.items()]
    return all(one is not None and one == another for one, another in pairs)


def _share(questions: Sequence[Five], counts: Callable[[Five], bool]) -> Figure:
    return share([(five["1"].subject, float(counts(five))) for five in questions], without=INCOMPLETE)


def _again(questions: Sequence[Five], rerun: Run | None, counts: Callable[[Five, Five], bool]) -> Figure:
    if rerun is None:
        return undefined_figure(NO_RERUN)
    both = []
    for five in questions:
        other = {order: rerun.answers.get(a.instance.instance_id) for order, a in five.items()}
        there = {order: answer for order, answer in other.items() if answer is not None}
        if len(there) == len(five):
            both.append((five, there))
    return share(
        [(five["1"].subject, float(counts(five, other))) for five, other in both],
        without="the re-run answered no question in all five orders",
    )
