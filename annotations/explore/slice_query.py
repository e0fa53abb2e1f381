"""Query that selects a slice of generations: runs, chosen values of facets, and words that texts contain."""

from collections.abc import Mapping
from textwrap import shorten
from typing import Annotated
from urllib.parse import parse_qsl, urlencode

from pydantic import Field, field_validator

from clinicnum.annotations.explore.facet_names import TITLES, VITAL_VALUES
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

Value = Annotated[str, Field(max_length=500)]
MOST_VALUES = 500
_YES_NO = {
    "headline": {
        "yes": "answers that count in the accuracy",
        "no": "answers that do not count in the accuracy",
    },
    "correct": {"yes": "right answers", "no": "wrong answers"},
    "strict": {
        "yes": "answers that are right in the form asked for",
        "no": "answers that are not right in the form asked for",
    },
}


class SliceQuery(Frozen):
    """Selects generations; the empty query selects no run, so nothing."""

    runs: tuple[Value, ...] = Field(default=(), max_length=200)
    """Row ids."""
    where: dict[str, Annotated[tuple[Value, ...], Field(max_length=MOST_VALUES)]] = Field(
        default_factory=dict
    )
    """Facet -> its chosen values; facets with none are left out."""
    search: str = Field(default="", max_length=200)

    @field_validator("where")
    @classmethod
    def _known(cls, where: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        for name in where:
            if name not in TITLES:
                raise ValueError(Translatable("there is no facet {name!r}", name=name))
        return {name: where[name] for name in TITLES if where.get(name)}

    def words(self) -> str:
        """The slice in English, for a study's design and report, which name the runs themselves."""
        told = [_words(name, chosen) for name, chosen in self.where.items() if name != "run"]
        searched = f"with the words {self.search!r} in question or answer" if self.search else ""
        return shorten("; ".join(filter(None, (*told, searched))), 1_900)

    def parameters(self) -> dict[str, str]:
        """The query as URL parameters, which `read_parameters` reads."""
        pairs = [(name, value) for name, chosen in self.where.items() for value in chosen]
        found = {"runs": ",".join(self.runs), "where": urlencode(pairs), "search": self.search}
        return {name: value for name, value in found.items() if value}


def _words(facet: str, chosen: tuple[str, ...]) -> str:
    """The chosen values of a facet in English; empty where they are all that there are."""
    if facet not in _YES_NO:
        names = VITAL_VALUES if facet == "vital" else {}
        return (
            f"{TITLES[facet].lower()}: {' or '.join(names.get(value, value) or 'none' for value in chosen)}"
        )
    said = [_YES_NO[facet][value] for value in chosen if value in _YES_NO[facet]]
    return said[0] if len(said) == 1 else ""


def read_parameters(given: Mapping[str, str]) -> dict[str, object]:
    """The unvalidated fields of a query from URL parameters. Raises InputError for too many choices."""
    where: dict[str, list[str]] = {}
    try:
        pairs = parse_qsl(given.get("where", ""), keep_blank_values=True, max_num_fields=5_000)
    except ValueError as error:
        raise InputError(Translatable("The address holds more choices than a view can.")) from error
    for name, value in pairs:
        where.setdefault(name, []).append(value)
    runs = [one for one in given.get("runs", "").split(",") if one]
    return {"runs": runs, "where": where, "search": given.get("search", "")}


def read_conditions(texts: list[str]) -> dict[str, tuple[str, ...]]:
    """Facet -> chosen values, from conditions such as `operation=arithmetic`; several of one are joined.

    Raises InputError for another form or an unknown facet.
    """
    where: dict[str, tuple[str, ...]] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or name not in TITLES:
            raise InputError(
                "condition {text!r} cannot be read; expected FACET=VALUE, with a facet of {names}",
                text=text,
                names=", ".join(TITLES),
            )
        where[name] = (*where.get(name, ()), value)
    return where
