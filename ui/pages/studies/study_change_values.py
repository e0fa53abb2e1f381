"""The form values of a change to a study."""

from pydantic import Field

from clinicnum.errors import InputError
from clinicnum.types import Frozen
from clinicnum.ui.pages.studies.rulings import MOST_RULINGS


class StudyChange(Frozen):
    """Form values of a change to a study, as the page sends them."""

    study: str = Field(default="", max_length=100)
    text: str = Field(default="", max_length=100_000)
    annotator: str = Field(default="", max_length=100)
    version: int = 0
    rulings: str = Field(default="", max_length=20 * MOST_RULINGS)
    """Ids of the rulings that a draft was made with, separated by spaces."""

    def required_name(self) -> str:
        """The study's name. Raises InputError if none was given."""
        if not self.study:
            raise InputError("Choose a study first.")
        return self.study
