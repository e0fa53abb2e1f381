"""Inputs of the explore page: the slice and its view settings, which are also encoded in its URL."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, get_args
from urllib.parse import urlencode

from pydantic import Field

from clinicnum.annotations.explore.facet_names import TITLES
from clinicnum.annotations.explore.slice_query import SliceQuery, read_parameters
from clinicnum.ui.components.gradio_page import Outputs, validated

Panel = Literal["answers", "slices", "map", "flips"]
PANELS: tuple[Panel, ...] = get_args(Panel)
Direction = Literal["to_wrong", "to_right"]
FACETS = tuple(TITLES)
LOOKS = ("panel", "by", "down", "across", "order", "first", "second", "direction")
"""The fields of ViewQuery beside the slice and the page number, in the order of the page's inputs."""


class ViewQuery(SliceQuery):
    """The slice and its view settings."""

    panel: Panel = "answers"
    by: str = Field(default="template", max_length=40)
    """The facet of the table of slices."""
    down: str = Field(default="vital", max_length=40)
    across: str = Field(default="model", max_length=40)
    order: str = Field(default="", max_length=40)
    """The facet by which answers are listed; "" for the order of the questions."""
    first: str = Field(default="", max_length=200)
    """The run that flips begin from."""
    second: str = Field(default="", max_length=200)
    direction: Direction = "to_wrong"
    page: int = Field(default=1, ge=1, le=100_000)
    answer: str = Field(default="", max_length=64, pattern=r"^[0-9a-f]*$")
    """Row id of the generation that is opened."""

    def slice(self) -> SliceQuery:
        """The slice that the view shows: runs, filters and searched words, without how they are shown."""
        return SliceQuery(runs=self.runs, where=self.where, search=self.search)

    def address(self, **changes: Any) -> str:
        """The path and query that lead to this view, with some fields changed."""
        view = self.model_copy(update=changes)
        fields = {name: getattr(view, name) for name in (*LOOKS, "page", "answer")}
        plain = {
            name: value for name, value in fields.items() if value != type(self).model_fields[name].default
        }
        return f"/explore/?{urlencode({**view.parameters(), **plain})}"

    def choosing(self, **values: str) -> str:
        """The address of a page that shows the answers of this slice with these values: facet=value, ..."""
        where = {**self.where, **{name: (value,) for name, value in values.items()}}
        return self.address(where=where, panel="answers", page=1, answer="")


class OpensViews(Protocol):
    """Protocol of handlers that open views."""

    def saved(self, view_id: object, user_id: str) -> ViewQuery:
        """The view with this id."""
        ...

    def whole(self, asked: ViewQuery, user_id: str) -> Outputs:
        """Values for all components of the page, so that they show this view."""
        ...


def read_values(values: Sequence[object]) -> ViewQuery:
    """The view from the page's inputs: runs, words, LOOKS, page number, FACETS. Raises InputError for one
    that cannot be used.
    """
    runs, search, *looks = values[: 2 + len(LOOKS)]
    page, chosen = values[2 + len(LOOKS)], values[3 + len(LOOKS) :]
    where = {name: value for name, value in zip(FACETS, chosen, strict=True) if value}
    return validated(
        ViewQuery, runs=runs, search=search, page=page, where=where, **dict(zip(LOOKS, looks, strict=True))
    )


def read_address(given: Mapping[str, str]) -> ViewQuery:
    """The view from the parameters of an address, where `run` may name a single run, as on other pages.

    Raises InputError for one that cannot be used.
    """
    if given.get("run") and not given.get("runs"):
        given = {**given, "runs": given["run"]}
    known = {name: given[name] for name in (*LOOKS, "page", "answer") if given.get(name)}
    return validated(ViewQuery, **read_parameters(given), **known)
