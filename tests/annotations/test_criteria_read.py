"""Criteria from files: HealthBench's and LiveMedBench's forms, a CSV, lines of a page, answer points."""

import json
import re
from pathlib import Path

import pytest

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.criteria.read import criteria_of_lines, criteria_of_points, read_criteria
from clinicnum.errors import InputError
from clinicnum.types import Point
from tests.db.examples import instance

RUBRICS = [
    {"criterion": "Advises to call emergency services.", "points": 10, "tags": ["axis:accuracy", "level:x"]},
    {"criterion": "Names a dose\nwithout asking for the weight.", "points": -7, "tags": []},
]
HEALTHBENCH = {
    "prompt_id": "p-1",
    "prompt": [{"role": "user", "content": "He does not wake up."}],
    "rubrics": RUBRICS,
    "example_tags": ["theme:emergency_referrals"],
    "canary": "made up for this test, in the published form",
}
LIVEMEDBENCH = {"case_id": 17, "post_time": "2026-01-04T00:00:00", "narrative": "…", "rubric_items": RUBRICS}


def written(tmp_path: Path, text: str, name: str = "criteria") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_healthbench_has_an_items_rubrics_on_a_line(tmp_path: Path) -> None:
    lines = json.dumps(HEALTHBENCH) + "\n\n" + json.dumps(HEALTHBENCH | {"prompt_id": "p-2"}) + "\n"
    found = read_criteria(written(tmp_path, lines))
    assert [(one.item, one.id, one.weight) for one in found] == [
        ("p-1", "1", 10),
        ("p-1", "2", -7),
        ("p-2", "1", 10),
        ("p-2", "2", -7),
    ]
    assert found[0].source == "HealthBench: axis:accuracy, level:x"
    assert found[1].text == "Names a dose\nwithout asking for the weight."


def test_criteria_of_consensus_of_over_three_thousand_characters_are_read_whole(tmp_path: Path) -> None:
    text = "The response should be safe. " * 120
    rubrics = [{"criterion": text, "points": 5, "tags": []}]
    (one,) = read_criteria(written(tmp_path, json.dumps(HEALTHBENCH | {"rubrics": rubrics}) + "\n"))
    assert one.text == text.strip()


def test_livemedbench_is_a_list_of_cases(tmp_path: Path) -> None:
    found = read_criteria(written(tmp_path, json.dumps([LIVEMEDBENCH], indent=1)))
    assert [(one.item, one.id, one.weight) for one in found] == [("17", "1", 10), ("17", "2", -7)]


def test_a_csv_needs_texts_and_may_say_more(tmp_path: Path) -> None:
    plain = read_criteria(written(tmp_path, 'text\nNames the drug.\n\n"Says why, too."\n'))
    assert plain == (
        Criterion(id="c1", text="Names the drug."),
        Criterion(id="c2", text="Says why, too."),
    )
    whole = "item_id;criterion_id;text;weight;must_have;source\n"
    whole += "i1;;Names sepsis.;5;yes;SSC 2021\ni1;dose;Gives a dose.;-2.5;;\n;safe;Is safe.;;no;ours\n"
    assert read_criteria(written(tmp_path, whole)) == (
        Criterion(item="i1", id="1", text="Names sepsis.", weight=5, must_have=True, source="SSC 2021"),
        Criterion(item="i1", id="dose", text="Gives a dose.", weight=-2.5),
        Criterion(id="safe", text="Is safe.", source="ours"),
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("text\n ,\n", "2 cells, expected 1"),
        ("text,weight\nA,\n,\n", "row 2: the text of a criterion is empty; write what"),
        ("text,weight\nA,heavy\n", "row 1: weight is 'heavy'; expected a number such as 5, 0.5 or -3"),
        ("text,weight\nA,0\n", "row 1: the weight is 0"),
        ("text,weight\nA,nan\n", "row 1: weight is nan"),
        ("text,must_have\nA,perhaps\n", 'row 1: must_have is \'perhaps\'; expected "yes" or "no"'),
        ("text,wieght\nA,1\n", "column 'wieght' is not known; expected a CSV with a column text, Health"),
        ("weight\n1\n", "no column 'text'"),
        ("text,criterion_id\nA,1\nB,1\n", "criterion '1' of every item is given twice"),
        ("text,criterion_id\nA,a b\n", "row 1: id is 'a b'"),
        ("", "is empty; expected a CSV"),
        ('{"prompt_id": "p"}\n', "row 1: rubrics is missing; expected prompt_id, rubrics"),
        (json.dumps(HEALTHBENCH) + "\n" + json.dumps(HEALTHBENCH), "row 2: prompt_id 'p-1' again, first in"),
        ('{"prompt_id": "p", "rubrics": [{"criterion": "x"}]}', "row 1: rubrics.0.points is missing"),
        ('{"prompt_id": "p", "rubrics": []}', "row 1: rubrics is "),
        ("{not json\n", "row 1: not JSON"),
        ("[1]", "row 1: is 1; expected an object with case_id and rubric_items"),
        ('[{"case_id": 1, "rubric_items": "none"}]', "row 1: rubric_items is 'none'"),
        ("[", "not JSON"),
    ],
)
def test_what_is_wrong_is_said_on_one_line_with_its_row(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)) as raised:
        read_criteria(written(tmp_path, text))
    assert "\n" not in str(raised.value)


def test_lines_of_a_page_are_criteria_of_every_item() -> None:
    assert criteria_of_lines("  Is safe. \n\nIs short.\n") == (
        Criterion(id="w1", text="Is safe."),
        Criterion(id="w2", text="Is short."),
    )
    assert criteria_of_lines(" \n") == ()
    with pytest.raises(InputError, match="at most 10000 characters"):
        criteria_of_lines("x" * 10_001)


def test_answer_points_become_criteria_of_their_items() -> None:
    points = (Point(id="p 1", text="The systolic pressure fell.", value="118"), Point(id="2", text="To 90."))
    asked = instance(3).model_copy(update={"points": points})
    assert criteria_of_points([instance(2), asked]) == (
        Criterion(item="i3", id="p1", text=points[0].text, source="answer point p 1"),
        Criterion(item="i3", id="p2", text="To 90.", source="answer point 2"),
    )
    with pytest.raises(InputError, match="no item of this study has answer points"):
        criteria_of_points([instance(2)])
