"""The design of a study: which generations it draws, who gets how many, and what annotators see when."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from clinicnum.annotations.custom_fields import CustomFields
from clinicnum.annotations.ratings.rating_axes import LEAST_POINTS, MOST_POINTS, is_axis
from clinicnum.annotations.sampling import CORRECT_SHARE, Include
from clinicnum.annotations.study_kind import KINDS, KindRules, StudyKind, kind_of_design
from clinicnum.annotations.types import SuggestionPolicy
from clinicnum.errors import InputError
from clinicnum.io.jsonl import first_problem
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

Names = Annotated[tuple[str, ...], Field(max_length=500)]
DEFAULT_LEASE_MINUTES = 120


class Filter(Frozen):
    """Which generations can be drawn; an empty field does not restrict."""

    run_ids: Names = ()
    operations: Names = ()
    representations: Names = ()
    template_ids: Names = ()
    statuses: Names = ()
    """Score statuses."""
    slice: str = Field(default="", max_length=2_000, exclude_if=lambda words: not words)
    """Description of the explored slice from which the study is drawn; empty for all."""
    variants: bool = False
    """Whether variants are drawn among base questions, as in studies of earlier versions."""


class Design(Frozen):
    """Everything that determines who annotates what, except the seed and the people."""

    include: Include = "mixed"
    where: Filter = Filter()
    size: int | None = Field(default=None, ge=1, le=1_000_000)
    """Answers to base questions to draw, by strata in proportion; None: all that `include` lets in."""
    variants: int = Field(default=0, ge=0, le=1_000_000)
    """Number of answers to variants drawn in addition, in strata of their own."""
    correct_share: float = Field(default=CORRECT_SHARE, ge=0, le=0.9)
    """Share of scored-correct generations where `include` is `mixed`."""
    overlap: int = Field(default=3, ge=1, le=100)
    """k: how many annotators judge each generation."""
    training: int = Field(default=0, ge=0, le=200)
    """Items with a reference that everyone judges first, with feedback."""
    qualifying: int | None = Field(default=None, ge=1, le=200)
    """Number of training items to judge like the reference before others are given; None: no threshold."""
    controls: int = Field(default=0, ge=0, le=1000)
    """Items with a reference, hidden among the others, that everyone judges."""
    repeat_share: float = Field(default=0.0, ge=0, le=0.5)
    """Probability that the next item is a blind repeat."""
    suggestions: SuggestionPolicy = "hidden"
    lease_minutes: int = Field(default=DEFAULT_LEASE_MINUTES, ge=5, le=7 * 24 * 60)
    """How long an unfinished item is kept after the annotator's last activity."""
    fields: CustomFields = Field(default=(), exclude_if=lambda declared: not declared)
    """Fields that the study adds to the judgement; fixed once it is open."""
    pairwise: bool = Field(default=False, exclude_if=lambda on: not on)
    """Whether two answers to a question are compared (`docs/pairwise.md`); `kind` says it."""
    asks: Literal["ratings", "claims"] | None = Field(default=None, exclude_if=lambda asked: asked is None)
    """What else annotators are asked in place of judging failures; `kind` says it."""

    adjudicated: bool = Field(default=False, exclude_if=lambda on: not on)
    """Whether adjudicators settle differing preferences, ratings, verdicts on sentences or ticks of criteria
    (`annotations/disputes.py`); labels of failures they always settle. False in studies of earlier versions.
    """
    rating_limit: int = Field(default=1, ge=0, le=MOST_POINTS - 1, exclude_if=lambda limit: limit == 1)
    """In a ratings study, how many points ratings of an axis may be apart before an adjudicator decides."""

    @model_validator(mode="after")
    def _threshold_can_be_reached(self) -> "Design":
        if self.qualifying is not None and self.qualifying > self.training:
            raise ValueError(
                Translatable(
                    "{n} right training judgements are asked of each annotator, but there are {training} "
                    "training items; ask for at most as many, or give more training items",
                    n=self.qualifying,
                    training=self.training,
                )
            )
        return self

    reference: bool = Field(default=False, exclude_if=lambda shown: not shown)
    """Of a ratings study, whether the gold answer stands beside the answer that is rated."""

    @property
    def kind(self) -> StudyKind:
        """What the study asks of its annotators."""
        return kind_of_design({"pairwise": self.pairwise, "asks": self.asks})

    @property
    def rules(self) -> KindRules:
        """The rules that hold for every study of its kind."""
        return KINDS[self.kind]

    @model_validator(mode="after")
    def _takes_what_its_kind_has(self) -> "Design":
        asked = {
            "include": self.include != "all",
            "training": bool(self.training),
            "controls": bool(self.controls),
            "suggestions": self.suggestions != "hidden",
            "fields": bool(self.fields) and not self.rules.own_fields,
            "statuses": bool(self.where.statuses),
        }
        other = next((name for name, given in asked.items() if given), None)
        if self.pairwise and self.asks:
            raise ValueError(
                Translatable("a study asks one thing; give `pairwise` or `asks` {asks!r}", asks=self.asks)
            )
        if not self.rules.judges_failures and other is not None:
            raise ValueError(
                Translatable(
                    "a study that {asks} draws them whatever their scores; it takes no {name}: leave it out",
                    asks=self.rules.asks,
                    name=other,
                )
            )
        return self

    @model_validator(mode="after")
    def _rates_on_axes(self) -> "Design":
        if self.reference and self.asks != "ratings":
            raise ValueError(
                Translatable(
                    "the gold answer is shown beside an answer in ratings studies only; leave `reference` out"
                )
            )
        if self.rating_limit != 1 and self.asks != "ratings":
            raise ValueError(
                Translatable("only ratings have a limit of points apart; leave `rating_limit` out")
            )
        if self.asks != "ratings":
            return self
        if not self.fields:
            raise ValueError(Translatable("a ratings study needs one axis or more; declare some"))
        for one in self.fields:
            if not is_axis(one):
                raise ValueError(
                    Translatable(
                        "{name!r} is no axis: expected a required, ordered choice of {least} to {most} "
                        "points without keys, asked of every answer in step 1",
                        name=one.name,
                        least=LEAST_POINTS,
                        most=MOST_POINTS,
                    )
                )
        return self

    def check_criteria(self, *, given: bool) -> None:
        """Raise InputError if criteria are `given` for a study that does not judge failures."""
        if given and not self.rules.judges_failures:
            raise InputError(
                "a study that {asks} takes no criteria; leave them out, or judge failures",
                asks=self.rules.asks,
            )


def read_design(fields: Mapping[str, Any]) -> Design:
    """A design from the fields of a form or command. Raises InputError naming the first invalid field."""
    try:
        return Design.model_validate(fields)
    except ValidationError as error:
        raise InputError(
            "the study cannot be opened like this: {problem}", problem=first_problem(error)
        ) from error
