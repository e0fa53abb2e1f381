"""Studies of other kinds in which every text is hostile: pairs, claims, ratings, criteria."""

from dataclasses import replace

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.engine import writing
from clinicnum.db.work.annotation import annotate
from tests.e2e.hostile_material import House, hostile_material
from tests.e2e.hostile_studies import (
    ANNOTATORS,
    RECORD,
    SLIP,
    hostile_judgement,
    judge_each,
    next_item,
    open_hostile,
    why,
)


def compare(house: House) -> None:
    """Two models' answers side by side, on which annotators differ, for reasons that attack."""
    made = hostile_material(house, "pairs", 1)
    [run] = made.runs
    [answer], [score] = run.generations, made.scores
    other = answer.model_copy(update={"generation_id": f"other {answer.generation_id}", "run_id": "other"})
    runs = (run, replace(run, generations=(other,)))
    scores = (score, score.model_copy(update={"generation_id": other.generation_id}))
    design = {"suggestions": "hidden", "pairwise": True, "adjudicated": True}
    name, made = house.line("study name", most=100), replace(made, runs=runs, scores=scores)
    study_id, said = open_hostile(house, name, made, **design), ("both_bad", "first_better", "both_bad")

    def preferred(place: int) -> Judgement:
        return Judgement(response_judgement=said[place], rationale=why(house))

    house.items += judge_each(house, study_id, preferred)


def check_claims(house: House) -> None:
    """Sentences on which annotators differ; of a second answer one has locked verdicts where there is a
    reference, which is then in sight.
    """
    name, made = house.line("study name", most=100), hostile_material(house, "claims", 2)
    study_id = open_hostile(house, name, made, suggestions="hidden", asks="claims", adjudicated=True)
    first = next_item(house, "ann", study_id)
    assert first is not None
    _check(house, "ann", first, "contradicted:major", whole=True)
    left = next_item(house, "ann", study_id)
    assert left is not None
    _check(house, "ann", left, "contradicted:major", whole=False)
    for name in ANNOTATORS[1:]:
        while (item := next_item(house, name, study_id)) is not None:
            _check(house, name, item, "supported", whole=True)


def _check(house: House, name: str, item: Workitem, verdict: str, *, whole: bool) -> None:
    """The same verdict on all sentences of the answer, and if `whole` on those of the reference, too."""
    assert item.claims is not None
    for _step in range(2):
        assert item.claims is not None
        given = {one.key: verdict for one in item.claims.answer}
        given |= {one.key: "stated" for one in item.claims.reference}
        judgement = Judgement(response_judgement="checked", rationale=why(house), claims=given)
        address = {"user_id": house.ids[name], "assignment_id": item.assignment_id, "active_ms": 1}
        saved = annotate.save_judgement if item.claims.follows else annotate.submit
        with writing(house.engine) as session:
            again = saved(session, **address, revision=item.revision, judgement=judgement)
        if not (item.claims.follows and whole):
            break
        item = again
    if name == "ann":
        house.items.append(item.assignment_id)


def rate_an_answer(house: House) -> None:
    """An answer beside its gold, rated differently on an axis whose words attack, for reasons that do."""
    points = [{"value": house.line("point", most=58), "means": house.some("meaning of a point", most=500)}]
    axis = {"name": "axis", "label": house.line("axis", most=200), "type": "choice", "required": True}
    axis |= {"ordered": True, "options": [{"value": "0 lowest"}, *points]}
    design = {"suggestions": "hidden", "asks": "ratings", "fields": [axis], "reference": True}
    design |= {"adjudicated": True, "rating_limit": 0}
    name, made = house.line("study name", most=100), hostile_material(house, "rated", 1)
    given = (points[0]["value"], "0 lowest", points[0]["value"])

    def rated(place: int) -> Judgement:
        return Judgement(response_judgement="rated", custom={"axis": given[place]}, rationale=why(house))

    house.items += judge_each(house, open_hostile(house, name, made, **design), rated)


def tick_criteria(house: House) -> None:
    """Labels and ticks of criteria whose texts attack, on all of which annotators differ."""
    words = [house.some("criterion", most=9_000) for _ in range(3)]
    criteria = [Criterion(id=f"c{number}", text=text) for number, text in enumerate(words)]
    name, made = house.line("study name", most=100), hostile_material(house, "ticked", 1)
    study_id = open_hostile(house, name, made, criteria=criteria, adjudicated=True)
    ticks = [dict.fromkeys((one.key for one in criteria), verdict) for verdict in ("met", "not_met", "met")]
    judged = [
        hostile_judgement(house, code, criteria=ticks[at]) for at, code in enumerate((SLIP, RECORD, None))
    ]
    judge_each(house, study_id, judged.__getitem__)
