"""A study of eight models on 48 items, made up and deterministic: for the parts of a report that compare.

Models have labels that people gave, one has none, and two have the same. Accuracy falls from the first to the
last; every third answer scored right was drawn for annotation, and half of those scored wrong.
"""

from clinicnum.annotations.judgement import Label, Severity
from clinicnum.annotations.report.study_tables import CodeName, Inclusion, StudyTables
from clinicnum.annotations.study_design import Design, Filter
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.annotations.types import Annotation
from clinicnum.types import OPERATIONS, Generation, Instance, RepresentationName, Score
from tests.annotations.report_example import _annotation, study

MODELS: tuple[tuple[str, str | None, int], ...] = (
    ("meridian-70b-instruct", "Meridian 70B, greedy", 94),
    ("meridian-8b-instruct", "Meridian 8B, greedy", 85),
    ("Aurora/Aurora-2-32B-Instruct", None, 82),
    ("tern-3-mini", "Tern 3 mini", 72),
    ("tern-3-nano", "Tern 3 nano", 66),
    ("fjord-7b", "Fjord 7B", 52),
    ("fjord-7b", "Fjord 7B, persona of a nurse", 46),
    ("SmolLM2-135M-Instruct", "SmolLM2 135M", 12),
)
"""Model, label, and right answers per hundred, about."""
WRITTEN: tuple[RepresentationName, ...] = ("structured", "note")
ITEMS = 48
_LOSS = {"retrieval": -8, "comparison": 0, "aggregation": 6, "arithmetic": 18, "note": 8}
_RIGHT_DRAWN, _WRONG_DRAWN = 1 / 3, 1 / 2
_CLASSES = (
    *("contextual_inconsistency.wrong_record",) * 5,
    *("omission",) * 4,
    *("hallucination",) * 3,
    *("causal_reasoning",) * 2,
    "unanswered",
    "format_mismatch",
)


def eight_models(*, simulated: bool = False) -> StudyTables:
    """The study; `simulated` types its annotators."""
    plain = study(simulated=simulated)
    taxonomy = load_taxonomy()
    instances = tuple(_instance(plain.instances, n) for n in range(ITEMS))
    pairs = [(run, n, one) for run in range(len(MODELS)) for n, one in enumerate(instances)]
    scores = tuple(_score(run, n, one) for run, n, one in pairs)
    drawn = [
        (place, one)
        for place, one in enumerate(scores)
        if _dice(place, 5) % (3 if one.lenient else 2) == 0 and place // ITEMS != 1
    ]
    return plain.model_copy(
        update={
            "study_name": "eight models",
            "taxonomy_codes": tuple(
                CodeName(code=code, name=taxonomy.find(code).name) for code in taxonomy.codes()
            ),
            "runs": {
                f"run{run}": {"model": model} | ({"label": label} if label else {})
                for run, (model, label, _) in enumerate(MODELS)
            },
            "instances": instances,
            "generations": tuple(_generation(run, n, one) for run, n, one in pairs),
            "scores": scores,
            "inclusions": tuple(
                Inclusion(
                    generation_id=one.generation_id,
                    stratum="correct" if one.lenient else "failure",
                    probability=_RIGHT_DRAWN if one.lenient else _WRONG_DRAWN,
                )
                for _, one in drawn
            ),
            "annotations": tuple(
                _judged(place, one, who, simulated=simulated) for place, one in drawn for who in range(3)
            ),
            "contests": (),
        }
    )


def of_slice(words: str, operation: str) -> StudyTables:
    """A study of the same runs that was drawn from the questions of one operation only."""
    whole = eight_models()
    instances = {one.instance_id for one in whole.instances if one.operation == operation}
    keys = {one.generation_id for one in whole.generations if one.instance_id in instances}
    return whole.model_copy(
        update={
            "study_name": words,
            "design": Design(where=Filter(slice=words)),
            "inclusions": tuple(one for one in whole.inclusions if one.generation_id in keys),
            "annotations": tuple(one for one in whole.annotations if one.generation_id in keys),
        }
    )


def _dice(n: int, salt: int) -> int:
    """A number that looks random and is always the same."""
    return ((n + 1) * 2654435761 + salt * 40503) % 2**32 >> 12


def _instance(plain: tuple[Instance, ...], n: int) -> Instance:
    question, written = divmod(n, len(WRITTEN))
    base = plain[2 * (question % 12)]
    return base.model_copy(
        update={
            "instance_id": f"i{question:02}-{WRITTEN[written]}",
            "group_id": f"q{question}",
            "representation": WRITTEN[written],
            "operation": OPERATIONS[question % len(OPERATIONS)],
            "subject_id": f"s{question}",
            "template_id": f"template_{question % 8}",
            "flags": (),
        }
    )


def _score(run: int, n: int, one: Instance) -> Score:
    chance = MODELS[run][2] - _LOSS.get(one.operation, 0) - _LOSS.get(one.representation, 0)
    right = _dice(n // 2, 1) % 60 + _dice(run * ITEMS + n, 2) % 40 < chance
    silent = not right and _dice(run * ITEMS + n, 3) % 9 == 0
    return Score(
        generation_id=f"g{run}-{one.instance_id}",
        parsed=one.answer if right else (None if silent else "101"),
        form=None if silent else "json",
        status="correct" if right else ("unparsable" if silent else "incorrect"),
        strict=right and n % 5 != 0,
        lenient=right,
        flexible=right,
        reason="equals the gold" if right else "another value",
    )


def _generation(run: int, n: int, one: Instance) -> Generation:
    score = _score(run, n, one)
    said = f"The heart rate at 06:27 was {score.parsed} beats per minute, as the second record shows."
    return Generation(
        generation_id=score.generation_id,
        run_id=f"run{run}",
        instance_id=one.instance_id,
        text=said if score.parsed else "I would need to see the monitor to say so.",
        finish_reason="stop",
        answer_confidence=0.4 + 0.59 * (_dice(run * ITEMS + n, 4) % 100) / 100,
    )


def _judged(place: int, score: Score, who: int, *, simulated: bool) -> Annotation:
    made = _annotation(place, score.generation_id, who, simulated)
    if score.lenient and _dice(place, 6) % 12:
        return made.model_copy(
            update={
                "item_judgement": "valid",
                "response_judgement": "acceptable",
                "labels": (),
                "severity": None,
            }
        )
    at = _dice(place + (who == 2 and place % 6 == 0), 7) % len(_CLASSES)
    levels: tuple[Severity, ...] = ("0", "1", "1", "2", "2", "3", "4")
    return made.model_copy(
        update={
            "item_judgement": "valid",
            "response_judgement": "failure",
            "labels": (Label(code=_CLASSES[at], primary=True),),
            "severity": levels[_dice(place, 8) % len(levels)],
        }
    )
