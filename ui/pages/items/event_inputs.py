"""Values that the items page sends: its filters, and what is to be moved."""

from typing import Annotated, Literal

from pydantic import Field

from clinicnum.db.work.studies.item_query import ItemQuery
from clinicnum.db.work.studies.study_items import PAGE
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import validated

FILTERS = ("study", "state", "template", "annotator", "differ", "search", "order")
ItemKey = Annotated[str, Field(pattern=r"^[0-9a-f]{1,64}$")]


class RequestedView(ItemQuery):
    """The requested view: filters, page of the list, and an item to open."""

    page: int = Field(default=1, ge=1, le=100_000)
    item: ItemKey | Literal[""] = ""

    def query(self) -> ItemQuery:
        """The filters alone."""
        return ItemQuery(**self.model_dump(include=set(FILTERS)))


class RequestedMove(Frozen):
    """Form values: which items to move, to whom if to a certain annotator, and how many the confirmation
    named.
    """

    scope: Literal["chosen", "all"] = "chosen"
    chosen: tuple[ItemKey, ...] = Field(default=(), max_length=PAGE)
    to: str = Field(default="", max_length=20, pattern=r"^[A-Za-z0-9]*$")
    expected: int = Field(default=0, ge=0, le=2**31)

    def items(self) -> tuple[str, ...] | None:
        """The chosen items; None for all that the filters find."""
        return None if self.scope == "all" else self.chosen

    def named(self) -> str:
        """The annotator who gets the items. Raises InputError if none was named."""
        if not self.to:
            raise InputError(Translatable("Choose who gets the items first."))
        return self.to


def read_filters(filters: tuple[object, ...], *, page: object = 1) -> RequestedView:
    """The view from the values of FILTERS. Raises InputError for one that cannot be used."""
    return validated(RequestedView, **dict(zip(FILTERS, filters, strict=True)), page=page)
