"""A ratings study made by hand: answers of two models to the same questions, and the points they get."""

from typing import Any

from sqlalchemy import Engine

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.ratings.rating_axes import BUILT_IN
from clinicnum.annotations.types import StudySummary
from tests.db.comparing import compared_material
from tests.db.examples import open_study

AXES = [one.name for one in BUILT_IN]


def open_ratings(engine: Engine, *, models: int = 2, items: int = 6, **design: Any) -> StudySummary:
    """The study `rated`, annotated by ann, ben and eve."""
    asked = {"include": "all", "asks": "ratings", "fields": BUILT_IN, **design}
    return open_study(engine, compared_material(models=models, items=items), name="rated", **asked)


def rates(*points: int, why: str | None = None) -> Judgement:
    """A point on each of the built-in axes, in their order."""
    given = {name: str(point) for name, point in zip(AXES, points, strict=True)}
    return Judgement.model_validate({"response_judgement": "rated", "custom": given, "rationale": why})
