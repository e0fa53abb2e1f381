"""Values that the failures page sends: its filters and the chosen row."""

from pydantic import Field

from clinicnum.annotations.curation.labelled_failure import Failure
from clinicnum.types import Frozen
from clinicnum.ui.pages.failures.view import Kind


class Filters(Frozen):
    """The list's filters, in the order of the page's fields."""

    kind: Kind = "clusters"
    operation: str = Field(default="", max_length=50)
    code: str = Field(default="", max_length=100)
    template: str = Field(default="", max_length=200)
    only: str = Field(default="", max_length=200)
    """Id of the only row to list: a cluster's id, or an answer's id within its study."""
    page: int = Field(default=1, ge=1, le=100_000)

    def matches(self, one: Failure) -> bool:
        """Whether a failure matches the filters, ignoring `only`."""
        return (
            self.operation in ("", one.operation)
            and self.code in ("", one.code)
            and self.template in ("", one.template_id)
        )

    def is_any_set(self) -> bool:
        """Whether any filter is set."""
        return any((self.operation, self.code, self.template, self.only))


class ChosenRow(Frozen):
    """The chosen row of the list."""

    kind: Kind = "clusters"
    key: str = Field(default="", max_length=200)
