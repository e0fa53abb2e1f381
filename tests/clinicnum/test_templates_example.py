"""Published worked examples: every template's own is what its tree gives, and a wrong one is said."""

from datetime import datetime

import pytest

from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK, load_bank
from clinicnum.templates.published_example import check_example
from clinicnum.templates.template import Template

BASE = load_bank(BASE_BANK)
EXTENDED = load_bank(EXTENDED_BANK) if EXTENDED_BANK.is_dir() else ()
BANKS = [*BASE, *EXTENDED]


@pytest.mark.parametrize("template", BANKS, ids=[template.id for template in BANKS])
def test_a_template_gives_its_published_example(template: Template) -> None:
    assert check_example(template) is None


def test_every_template_of_the_extended_bank_has_an_example() -> None:
    assert [template.id for template in EXTENDED if template.example is None] == []


def dose(**example: object) -> Template:
    """Milligrams by weight, age and route, with an example changed at some points."""
    records = [
        {"charttime": datetime(2150, 1, 1, hour), "heart_rate_bpm": rate, "age_years": 40}
        for hour, rate in ((8, 90), (9, 120))
    ]
    weight = {
        "op": "multiply",
        "left": {"op": "given", "name": "weight"},
        "right": {"op": "constant", "value": "0.1"},
    }
    route = {"op": "given_points", "name": "oral", "points": {"yes": 2, "no": 0}}
    age = {"op": "divide", "left": {"op": "given", "name": "age"}, "right": {"op": "constant", "value": "10"}}
    return Template.model_validate(
        {
            "id": "arithmetic.dose",
            "version": 1,
            "status": "draft",
            "operation": "arithmetic",
            "subtype": "dose",
            "steps": 2,
            "wording": ["Dose at {time} ({which})?"],
            "slots": {"time": {"kind": "record"}, "which": {"kind": "choice", "options": ["latest"]}},
            "givens": {
                "weight": {"kind": "number", "label": "body weight", "unit": "kg", "low": 40, "high": 90},
                "oral": {"kind": "choice", "label": "by mouth", "options": ["yes", "no"]},
                "age": {"kind": "record", "label": "age", "from": "age_years"},
            },
            "tree": {"op": "round", "of": {"op": "sum", "of": [weight, route, age]}},
            "requires": [
                {
                    "left": {"op": "vital", "vital": "heart_rate_bpm", "at": "time"},
                    "comparator": "above",
                    "right": {
                        "op": "over",
                        "how": "mean",
                        "of": {"op": "vital", "vital": "heart_rate_bpm"},
                        "take": "which",
                        "n": 2,
                    },
                }
            ],
            "answer_type": "number",
            "decimals": 1,
            "source": "ours",
            "example": {
                "records": records,
                "slots": {"time": "2150-01-01 09:00:00", "which": "latest"},
                "givens": {"weight": "73", "oral": "yes"},
                "answer": "13.3",
                "source": "a handbook",
                **example,
            },
        }
    )


def test_the_dose_is_right() -> None:
    assert check_example(dose()) is None  # 73 x 0.1 + 2 + 40 / 10


WRONG = {
    "the answer": ({"answer": "13.4"}, "gives 13.3 by the tree, but 13.4 by a handbook"),
    "a given's word": (
        {"givens": {"weight": "73", "oral": "maybe"}},
        "gives oral as maybe, which is none of yes, no",
    ),
    "a slot's time": (
        {"slots": {"time": "2150-01-01 10:00:00", "which": "latest"}},
        "has no record at time = 2150",
    ),
    "a slot's word": (
        {"slots": {"time": "2150-01-01 09:00:00", "which": "earliest"}},
        "which is none of latest",
    ),
    "what is required": ({"slots": {"time": "2150-01-01 08:00:00", "which": "latest"}}, "does not fulfil"),
    "times out of order": (
        {"records": [{"charttime": datetime(2150, 1, 1, 9)}, {"charttime": datetime(2150, 1, 1, 8)}]},
        "has records out of time order",
    ),
    "two ages": (
        {"records": [{"charttime": datetime(2150, 1, 1, h), "age_years": h} for h in (8, 9)]},
        "leaves age open: its records do not agree on age_years",
    ),
    "a value that is not there": (
        {"records": [{"charttime": datetime(2150, 1, 1, 9), "age_years": 40}]},
        "has no answer by rule V1.not_documented",
    ),
}


@pytest.mark.parametrize(("changed", "message"), WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_with_an_example_is_said_in_one_line(changed: dict[str, object], message: str) -> None:
    said = check_example(dose(**changed))
    assert said is not None
    assert message in said
    assert "\n" not in said


def test_a_template_without_an_example_says_nothing() -> None:
    assert check_example(BASE[0]) is None
