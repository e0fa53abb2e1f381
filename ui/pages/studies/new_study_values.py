"""The values of the new-study form. No database."""

from typing import Annotated
from urllib.parse import parse_qsl

from pydantic import Field, ValidationError

from clinicnum.annotations.custom_fields import CustomField, check_keys, read_custom_fields
from clinicnum.annotations.explore.slice_query import SliceQuery, read_parameters
from clinicnum.annotations.ratings.rating_axes import read_axes
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_preview import SECONDS_AN_ITEM
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.errors import InputError
from clinicnum.io.form_problems import form_problem, labels_of
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import validated
from clinicnum.ui.pages.studies.new_study_view import ASKED

EVERY = "all answers of the runs"

Names = Annotated[tuple[Annotated[str, Field(max_length=200)], ...], Field(max_length=500)]


class StudyForm(Frozen):
    """All fields of the form, with defaults for empty ones."""

    name: str = Field(default="", max_length=2_000, title="Name of the study")
    runs: Names = ()
    """Row ids of the model runs."""
    annotators: Names = ()
    operations: Names = ()
    representations: Names = ()
    statuses: Names = ()
    templates: Names = ()
    slice: str = Field(default="", max_length=100_000)
    """Parameters of the slice that the sample is drawn from, as in an address; empty for all answers."""
    include: str = Field(default="mixed", title="Which of their answers")
    size: int | None = Field(default=None, title="How many answers")
    variants: int = Field(default=0, title="How many answers to variants")
    correct_percent: float = Field(default=15, ge=0, le=90, title="Share of answers scored right (%)")
    overlap: int = Field(default=3, title="How many people label each answer")
    training: int = Field(default=0, title="Training items")
    qualifying: int | None = Field(default=None, title="Of these right to go on")
    controls: int = Field(default=0, title="Control items")
    references_from: str | None = Field(default=None, max_length=100)
    repeat_percent: float = Field(default=0, ge=0, le=50, title="Blind repeats (%)")
    suggestions: str = Field(default="hidden", title="Suggested causes")
    lease_minutes: int = Field(default=120, title="Lease time (minutes)")
    guideline: str = Field(default="", max_length=100_000, title="Guideline")
    deadline: str = Field(default="", max_length=100, title="Deadline")
    own_fields: str = Field(default="", max_length=100_000, title="Fields of the study's own")
    """YAML that declares what the study adds to the judgement."""
    axes: str = Field(default="", max_length=100_000, title="Axes")
    """YAML of the axes on which answers are rated; empty for the built-in ones."""
    adjudicated: bool = True
    """Whether adjudicators settle what annotators differ on beyond labels."""
    rating_limit: int = Field(default=1, title="Points that ratings may be apart")
    """How many points ratings may be apart before adjudicators settle them."""
    reference: bool = False
    """Whether the gold answer stands beside the answer that is rated."""
    criteria: str = Field(default="", max_length=100_000)
    """Criteria of every item, one a line."""
    criteria_points: bool = False
    """Whether the answer points of the items are criteria as well."""
    criteria_upload: str = Field(default="", max_length=64)
    """The id of an uploaded file of criteria."""
    seed: str = Field(default="", pattern=r"^([0-9a-f]{32})?$")
    """Seed of the previewed sample, so that exactly that sample is opened; if empty, a new seed is drawn."""
    seconds_an_item: int = Field(default=SECONDS_AN_ITEM, ge=1, le=3600, title="Seconds per item")

    def slice_query(self) -> SliceQuery | None:
        """The slice to draw from; None for all answers. Raises InputError for a wrong one."""
        if not self.slice:
            return None
        return validated(SliceQuery, **read_parameters(dict(parse_qsl(self.slice))))

    def _fields(self) -> tuple[CustomField, ...]:
        """The study's own fields; of a ratings study its axes. Raises InputError for what it cannot ask."""
        rates = self.include == "ratings"
        if rates and self.own_fields.strip():
            raise InputError("a ratings study asks its axes only; leave “Fields of the study's own” empty")
        if not rates and (self.axes.strip() or self.reference):
            raise InputError(
                "axes and the gold answer beside an answer are for studies that rate each answer on axes; "
                "choose that under “Which of their answers”, or leave both out"
            )
        return read_axes(self.axes) if rates else read_custom_fields(self.own_fields)

    def _settles_more_than_labels(self) -> bool:
        criteria = self.criteria.strip() or self.criteria_points or self.criteria_upload
        return self.include in ASKED or bool(criteria)

    def design(self) -> Design:
        """The study design that the form describes. Raises InputError naming the first invalid field."""
        fields = self._fields()
        check_keys(fields, load_taxonomy())
        try:
            return Design.model_validate(self._design(fields))
        except ValidationError as error:
            problem = form_problem(error, labels_of(StudyForm))
            raise InputError(
                Translatable("The study cannot be opened like this: {problem}", problem=problem)
            ) from error

    def _design(self, fields: tuple[CustomField, ...]) -> dict[str, object]:
        return {
            "include": "all" if self.include in ASKED else self.include,
            "pairwise": self.include == "pairwise",
            "asks": self.include if self.include in ("ratings", "claims") else None,
            "reference": self.reference,
            "adjudicated": self.adjudicated and self._settles_more_than_labels(),
            "rating_limit": self.rating_limit if self.include == "ratings" else 1,
            "where": {
                "operations": self.operations,
                "representations": self.representations,
                "statuses": self.statuses,
                "template_ids": self.templates,
                "slice": asked.words() or EVERY if (asked := self.slice_query()) else "",
            },
            "size": self.size,
            "variants": self.variants,
            "correct_share": self.correct_percent / 100,
            "overlap": self.overlap,
            "training": self.training,
            "qualifying": self.qualifying,
            "controls": self.controls,
            "repeat_share": self.repeat_percent / 100,
            "suggestions": self.suggestions,
            "lease_minutes": self.lease_minutes,
            "fields": fields,
        }
