"""Answer points and dimensions of an imported question, in words, and what the scorer found of the points."""

from collections.abc import Iterable, Sequence
from typing import Any

from clinicnum.scoring.answer_point_recall import PointCheck
from clinicnum.types import Instance
from clinicnum.ui.components.language import _


def dimensions_text(instance: Instance) -> str:
    """The dimensions of an instance on one line, as its source names them; empty without any."""
    return "; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in instance.dimensions.items())


def imported_facts(instance: Instance) -> list[list[str]]:
    """(field, value) rows on what imported questions alone have: answer points and dimensions."""
    points = "\n".join(one.text for one in instance.points)
    rows = [[_("What the answer must say"), points], [_("Kind of question"), dimensions_text(instance)]]
    return [row for row in rows if row[1]]


def points_view(points: Iterable[PointCheck]) -> list[dict[str, Any]]:
    """Each answer point with whether the scorer found it, for the script that shows them."""
    return [{"text": one.text, "found": one.found, "said": found_words(one)} for one in points]


def read_words(points: Sequence[PointCheck], parsed: str | None) -> str | None:
    """What the scorer read: how many answer points it found, or without points the value `parsed`."""
    if not points:
        return parsed
    return _("{n} of {total} points", n=sum(one.found for one in points), total=len(points))


def found_words(one: PointCheck) -> str:
    """Whether the scorer found a point in the answer."""
    if not one.found:
        return _("not found")
    return _("found by its words, please check") if one.by_words else _("found")
