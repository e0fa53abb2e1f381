"""A study in which every text is hostile: opened, and judged by all its annotators."""

from collections.abc import Callable, Sequence
from typing import Any

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.study_design import read_design
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.engine import writing
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.studies import study_lifecycle
from tests.db.test_annotate import submit
from tests.e2e.hostile_material import House, hostile_taxonomy

ANNOTATORS = ("ann", "ben", "eve")


ITEMS = 6
SLIP, RECORD = "causal_reasoning.arithmetic_slip", "contextual_inconsistency.wrong_record"


def why(house: House) -> str:
    """A rationale that attacks."""
    return house.dealer.some("rationale", 2_000, most=4_000)


def open_hostile(
    house: House,
    name: str,
    made: Material,
    references: dict[str, Judgement] | None = None,
    criteria: Sequence[Criterion] = (),
    **design: Any,
) -> str:
    """A study of all of it, with a guideline that attacks who reads it; its id."""
    with writing(house.engine) as session:
        return study_lifecycle.create_study(
            session,
            name=name,
            material=made,
            annotators=ANNOTATORS,
            design=read_design({"overlap": 3, "include": "all", "suggestions": "shown", **design}),
            seed=0,
            taxonomy=hostile_taxonomy(house) if name.startswith("first ") else load_taxonomy(),
            guideline=house.dealer.some("guideline", 2_000, most=90_000),
            references=references,
            criteria=criteria,
        ).study_id


def hostile_judgement(house: House, code: str | None = None, **other: Any) -> Judgement:
    """A failure of this kind, or an acceptable answer, for reasons that attack."""
    told = {"item_judgement": "valid", "rationale": why(house), **other}
    if code is None:
        return Judgement(response_judgement="acceptable", **told)
    labels = (Label(code=code, primary=True, spans=((0, 9), (20, 400))),)
    return Judgement(response_judgement="failure", labels=labels, severity="2", **told)


def judge_each(house: House, study_id: str, judged: Callable[[int], Judgement]) -> list[str]:
    """All that waits, judged by each annotator; the first one's assignments."""
    done: list[str] = []
    for place, name in enumerate(ANNOTATORS):
        while (item := next_item(house, name, study_id)) is not None:
            submit(house.engine, house.ids[name], item, judged(place))
            done += [] if place else [item.assignment_id]
    return done


def next_item(house: House, name: str, study_id: str) -> Workitem | None:
    """What waits for an annotator in a study, if anything does."""
    with writing(house.engine) as session:
        return annotate.next_assignment(session, user_id=house.ids[name], study_id=study_id)
