"""The representation `note`: what a nurse might have typed, with abbreviations, any order, vitals spread over
sentences, and small talk.

A nurse has a *hand*, or writing style: the names, joins, units, order and punctuation that she keeps to; a
note is in one hand or two. All random draws are made whatever the style and the values, so that a style
changes what it names and leaves the rest of the note as it was.
"""

import random
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple, TypeVar

from clinicnum.representations import note_phrases as bank
from clinicnum.representations.note_frames import Frame
from clinicnum.representations.note_times import FORMS, seconds_needed
from clinicnum.representations.record_text import Written
from clinicnum.representations.shuffle import otherwise, reordered
from clinicnum.representations.style_options import BASE, Style
from clinicnum.representations.vital_names import BARE, SUFFIXES, TIGHT

T = TypeVar("T")
Draw = Callable[[], float]
SBP, DBP, BOTH = 4, 5, 7
"""Columns of the phrase bank's names; the first seven are those of `record_text.VITALS`."""
COLUMNS = (0, 1, 2, 3, 4, 6)
"""Columns put in random order; diastolic follows systolic pressure."""
_OPENINGS = {
    at: tuple(tuple(o.format(at=at, At=at.capitalize(), time="\n").split("\n")) for o in bank.OPENINGS)
    for at in ("at", "on")
}


class WritingStyle(NamedTuple):
    """The style in which one person writes a set of vital signs."""

    names: list[str]
    """The name of each vital, by column of the phrase bank."""
    join: str
    """Text between a name and its value."""
    absent: str
    """Phrase for a missing value; `%s` stands for its name."""
    ends: Sequence[str]
    """What follows a value, by vital: the unit or nothing."""
    separator: str
    together: bool
    """Whether both pressures share one phrase, where both or neither are documented."""
    order: list[int]
    """The vitals in order, without the diastolic pressure, which follows the systolic."""
    capitals: bool
    """Whether sentences begin with a capital."""


def render(texts: Sequence[Written], seed: str, style: Style = BASE, frame: Frame | None = None) -> str:
    """Records as a note; the same arguments give the same wording. A user's note (`frame`) surrounds the
    entries, if given.
    """
    rng = random.Random(f"note:{seed}")  # noqa: S311  reproducible wording, not secrets
    draw = rng.random
    head, two_hands, one_form, form = draw(), draw() < 0.4, draw() < 0.7, draw()
    cut = 16 if draw() < 0.5 and not seconds_needed(texts) else 19
    hands = [_hand(draw, style) for _ in range(1 + two_hands)]
    lines = [_pick(bank.HEADS if frame is None else bank.FRAME_HEADS, head)]
    for text in texts:
        own_form, opening, whose = draw(), draw(), draw()
        at, written = _pick(FORMS, form if one_form else own_form)
        before, after = _pick(_OPENINGS[at], opening)
        entry = _entry(text, _pick(hands, whose), draw, remarks=frame is None)
        lines.append(f"{before}{written(text.time[:cut])}{after} {entry}")
    if frame is not None:
        lines = [*filter(None, (frame.before, *lines, frame.after))]
    return "\n".join(lines)


def _hand(draw: Draw, style: Style) -> WritingStyle:
    register, join, absent, bare, tight = draw(), draw(), draw(), draw() < 0.3, draw() < 0.5
    names, joins = _pick(bank.REGISTERS, register)
    if style.abbreviated is not None:
        names = bank.ABBREVIATED_NAMES if style.abbreviated else bank.FULL_NAMES
    picks = [draw() for _ in names]
    picks[DBP] = picks[SBP]
    separator, step = int(draw() * len(bank.SEPARATORS)), 1 + int(draw() * (len(bank.SEPARATORS) - 1))
    together, order, other_order, capitals = draw() < 0.8, draw(), draw(), draw() < 0.6
    columns = reordered(COLUMNS, max(0.0, (order - 0.3) / 0.7))
    if style.units is not None:
        bare = not style.units
    return WritingStyle(
        names=[column[int(pick * len(column))] for column, pick in zip(names, picks, strict=True)],
        join=_pick(joins, join),
        absent=_pick(bank.ABSENT, absent),
        ends=BARE if bare else TIGHT if tight else SUFFIXES,
        separator=bank.SEPARATORS[(separator + step * style.separators) % len(bank.SEPARATORS)],
        together=together,
        order=otherwise(columns, other_order) if style.shuffled else columns,
        capitals=capitals,
    )


def _entry(text: Written, hand: WritingStyle, draw: Draw, *, remarks: bool) -> str:
    """One record in one to three sentences on one or two lines."""
    parting, parted, continuation, remarked, place, remark = [draw() for _ in range(6)]
    phrases, separator = _phrases(text, hand), hand.separator
    sentences, last = [], 0
    for cut in _pick(CUTS[len(phrases)], parting):
        sentence = separator.join(phrases[last:cut])
        sentences.append(f"{sentence[0].upper()}{sentence[1:]}." if hand.capitals else f"{sentence}.")
        last = cut
    second = ""
    if parted < 0.4 and len(sentences) > 1:
        second = f"\n{_pick(bank.CONTINUATIONS, continuation)}{sentences.pop()}"
    if remarked < 0.4 and remarks:
        sentences.insert(int(place * (len(sentences) + 1)), _pick(bank.REMARKS, remark))
    return " ".join(sentences) + second


def _phrases(text: Written, hand: WritingStyle) -> list[str]:
    """The phrase for each vital; both pressures share one if the style says so."""
    names, join, absent, ends, *_ = hand
    phrases = [
        absent % name if value is None else f"{name}{join}{value}{end}"
        for value, name, end in zip(text.values, names, ends, strict=False)
    ]
    systolic, diastolic = text.values[SBP], text.values[DBP]
    if not hand.together or (systolic is None) != (diastolic is None):
        place = hand.order.index(SBP) + 1
        return [phrases[column] for column in (*hand.order[:place], DBP, *hand.order[place:])]
    both = names[BOTH]
    phrases[SBP] = absent % both if systolic is None else f"{both}{join}{systolic}/{diastolic}{ends[SBP]}"
    return [phrases[column] for column in hand.order]


def _cuts(size: int) -> tuple[tuple[int, ...], ...]:
    """All ways to divide `size` phrases into one, two or three sentences, as the index at which each sentence
    ends.

    The single sentence is repeated, so that it is drawn as often as two and three sentences together.
    """
    one, two, three = [[(*cuts, size) for cuts in combinations(range(1, size), n)] for n in range(3)]
    return (*one * (len(two) + len(three)), *two, *three)


CUTS = {size: _cuts(size) for size in (len(COLUMNS), len(COLUMNS) + 1)}


def _pick(choices: Sequence[T], draw: float) -> T:
    return choices[int(draw * len(choices))]
