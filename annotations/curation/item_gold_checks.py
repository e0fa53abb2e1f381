"""Check the gold of an item: an option must be one of the item's, a number must lie within its limits, and so
on.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from clinicnum.errors import InputError
from clinicnum.prompt import option_letter
from clinicnum.scoring import check_scorable
from clinicnum.scoring.medec import CORRECT
from clinicnum.scoring.multiple_choice import MOST_OPTIONS, right_letter
from clinicnum.scoring.numeric import finite_number
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance

TOLERANCE = Decimal("0.05")
"""MedCalc-Bench's limits stand 5 % to either side of a decimal (arXiv 2406.12036)."""
MEDEC_GOLD = re.compile(r"(?P<id>[0-9]{1,4}) (?P<text>\S.*)", re.DOTALL)


def gold_faults(item: Instance) -> Iterator[Translatable]:
    """Yield what is wrong with an item's gold, or with the options, limits or answer points that it rests on.

    An item without faults can be scored; some faults, such as two equal options, would not prevent it.
    """
    found = False
    for fault in _FAULTS[item.scoring](item):
        found = True
        yield fault
    if not found:
        try:
            check_scorable(item)
        except InputError as error:
            yield Translatable(str(error).partition(": ")[2])


def usual_limits(original: Instance, answer: str) -> tuple[str, str]:
    """The limits that MedCalc-Bench would give a gold: 5 % to either side of a decimal, else the gold itself.

    Empty for a gold that is no number where one is asked for.
    """
    if original.answer_type != "number":
        return answer, answer
    gold = finite_number(answer)
    if gold is None:
        return "", ""
    if original.slots.get("Output Type") == "integer":
        return answer, answer
    ends = sorted((gold * (1 - TOLERANCE), gold * (1 + TOLERANCE)))
    return f"{ends[0].normalize():f}", f"{ends[1].normalize():f}"


def _choice(item: Instance) -> Iterator[Translatable]:
    options = item.options
    if not 2 <= len(options) <= MOST_OPTIONS:
        yield Translatable("there are {n} options; give 2 to {most}", n=len(options), most=MOST_OPTIONS)
        return
    if any(not one.strip() for one in options):
        yield Translatable("an option is empty; write it or take it out")
    if len({" ".join(one.split()) for one in options}) < len(options):
        yield Translatable("two options are the same; make them differ")
    letters = [option_letter(place) for place in range(len(options))]
    if right_letter(item) is None:
        yield Translatable(
            "the gold answer is {answer!r}; expected the letter of an option, A to {last}",
            answer=item.answer,
            last=letters[-1],
        )


def _number(item: Instance) -> Iterator[Translatable]:
    if item.answer_type not in ("number", "count"):
        return
    gold = finite_number(item.answer or "")
    if gold is None:
        yield Translatable("the gold answer is {answer!r}; expected a number in digits", answer=item.answer)
        return
    ends = []
    for text in (item.lower, item.upper):
        end = finite_number(text or "")
        if end is None and (text or item.scoring == "medcalc"):
            yield Translatable("a limit is {limit!r}; expected a number in digits", limit=text or "")
            return
        ends.append(end)
    lower, upper = ends
    if (lower is not None and gold < lower) or (upper is not None and gold > upper):
        yield Translatable(
            "the gold answer {answer} lies outside its limits, {lower} to {upper}; correct one of them",
            answer=item.answer,
            lower=item.lower or "-",
            upper=item.upper or "-",
        )


def _medec(item: Instance) -> Iterator[Translatable]:
    if item.answer == CORRECT:
        return
    gold = MEDEC_GOLD.fullmatch(item.answer or "")
    if gold is None:
        yield Translatable(
            "the gold answer is {answer!r}; expected CORRECT, or the number of the wrong sentence, a blank "
            "and the sentence corrected",
            answer=item.answer,
        )
        return
    line = re.search(rf"^{gold['id']} (.*?)(?=^[0-9]+ |\Z)", item.context, re.MULTILINE | re.DOTALL)
    if line is None:
        yield Translatable("the note has no sentence {id}; name one that begins a line", id=gold["id"])
    elif " ".join(line[1].split()) == " ".join(gold["text"].split()):
        yield Translatable("sentence {id} stands in the note as corrected; nothing is wrong", id=gold["id"])


def _points(item: Instance) -> Iterator[Translatable]:
    texts = [" ".join(point.text.split()) for point in item.points]
    if not texts or not all(texts):
        yield Translatable("there is no answer point, or an empty one; write one a line")
    if len(set(texts)) < len(texts):
        yield Translatable("two answer points are the same; take one out")


_FAULTS = {"choice": _choice, "numeric": _number, "medcalc": _number, "medec": _medec, "points": _points}
