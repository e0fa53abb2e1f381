"""Every way in which a score's template can contradict itself is one line: file, line, key, fault, remedy."""

from pathlib import Path
from typing import NamedTuple

import pytest

from clinicnum.errors import InputError
from clinicnum.templates.bank import load_bank
from clinicnum.templates.template import Template
from clinicnum.templates.template_fault import FaultError

SCORE = """\
- id: arithmetic.score
  version: 1
  status: unreviewed
  operation: arithmetic
  subtype: score
  steps: 3
  wording:
    - "How many points at {time}, over the two {which} records?"
  slots:
    time: {kind: record}
    which: {kind: choice, options: [earliest, latest]}
  givens:
    oxygen: {kind: choice, label: supplemental oxygen, options: ["yes", "no"]}
    weight: {kind: number, label: body weight, unit: kg, low: "45", high: "120"}
    age: {kind: record, label: age, unit: years, from: age_years}
  tree:
    op: round
    of:
      op: sum
      of:
        - op: points
          of: {op: vital, vital: resp_rate_bpm, at: time}
          bands:
            - {at_most: "8", points: 3}
            - {at_most: "20", points: 0}
            - {points: 2}
        - {op: given_points, name: oxygen, points: {"yes": 2, "no": 0}}
        - op: one_if
          where:
            all:
              - {left: {op: given, name: weight}, comparator: above, right: {op: constant, value: "100"}}
              - not: {left: {op: given, name: age}, comparator: below, right: {op: constant, value: "65"}}
        - op: one_if
          where:
            left: {op: over, how: mean, of: {op: vital, vital: sbp_mmhg}, take: which, n: 2}
            comparator: at_most
            right: {op: vital, vital: sbp_mmhg, at: time}
        - op: one_if
          where:
            left:
              op: over_pairs
              how: highest
              of: {op: minutes, start: {op: at, at: each}, end: {op: at, at: next}}
            comparator: above
            right: {op: constant, value: "60"}
  answer_type: number
  decimals: 0
  unit: points
  source: ours
  example:
    records:
      - {charttime: "2150-01-01 08:00:00", resp_rate_bpm: 22, sbp_mmhg: 120, age_years: 70}
      - {charttime: "2150-01-01 09:00:00", resp_rate_bpm: 16, sbp_mmhg: 110, age_years: 70}
    slots: {time: "2150-01-01 08:00:00", which: latest}
    givens: {oxygen: "yes", weight: "110"}
    answer: "6"
    source: ours
"""
OXYGEN = '{op: given_points, name: oxygen, points: {"yes": 2, "no": 0}}'
AGE = 'not: {left: {op: given, name: age}, comparator: below, right: {op: constant, value: "65"}}'
SYSTOLIC = "{op: vital, vital: sbp_mmhg, at: time}"
EACH_SYSTOLIC = "of: {op: vital, vital: sbp_mmhg}"
OVER, PAIRS, MINUTES = "left: {op: over, ", "op: over_pairs", "of: {op: minutes"
IN_PAIRS = "left:\n"
START, END = "start: {op: at, at: each}", "end: {op: at, at: next}"
BANDS = """\
            - {at_most: "8", points: 3}
            - {at_most: "20", points: 0}
"""
COUNTED = """\
  mistakes:
    - rule: counted
      code: a.b
      tree:
        op: count
        where: {left: {op: vital, vital: sbp_mmhg}, comparator: above, right: {op: constant, value: "9"}}
  answer_type: number
"""


class Fault(NamedTuple):
    """What is changed in SCORE, into what, a text on the line to be named, and what is said."""

    old: str
    new: str
    place: str
    message: str


FAULTS = {
    "an unknown given": Fault(
        "given, name: weight", "given, name: mass", "name: mass", "is no numeric given"
    ),
    "a given of another kind": Fault(
        "given, name: weight",
        "given, name: oxygen",
        "given, name: oxygen}",
        r"\.name: oxygen is no numeric given; got age \(record\), oxygen \(choice\), weight \(number\)",
    ),
    "points for a number": Fault(
        "given_points, name: oxygen", "given_points, name: weight", "name: weight, p", "is no choice given"
    ),
    "points that miss an option": Fault(
        ', "no": 0', "", "op: given_p", r"\.points: points for \['yes'\], but"
    ),
    "yes without quotes": Fault(
        '"yes": 2, "no": 0', "yes: 2, no: 0", "op: given_p", "expected text; put a word like yes"
    ),
    "a given that is not read": Fault(
        "{op: given, name: age}",
        SYSTOLIC,
        "age: {kind",
        r"givens\.age: age is never read by the tree; remove it",
    ),
    "bands that fall": Fault(
        'at_most: "20"', 'at_most: "7"', '"7"', r"\.at_most: bands rise, but 7 comes after 8"
    ),
    "bands alike": Fault(
        'at_most: "20"', 'at_most: "8"', '"8", points: 0', "bands rise, but 8 comes after 8"
    ),
    "a last band with a limit": Fault(
        "{points: 2}", '{at_most: "30", points: 2}', '"30"', "the last band takes"
    ),
    "a limit missing": Fault('at_most: "20", ', "", "{points: 0}", "only the last band goes without at_most"),
    "one band": Fault(BANDS, "", "bands:", "at least 2"),
    "the next record of no pair": Fault(
        SYSTOLIC, SYSTOLIC.replace("time", "next"), "at: next", "only in over_pairs"
    ),
    "the next record where each is alone": Fault(
        EACH_SYSTOLIC, EACH_SYSTOLIC.replace("}", ", at: next}"), OVER, "`at: next` stands only in over_pairs"
    ),
    "each on its own": Fault(SYSTOLIC, EACH_SYSTOLIC[4:], "right: {op: vital", "`at: each` stands only in"),
    "pairs without the next record": Fault(
        END, "end: {op: at, at: each}", IN_PAIRS, "nothing below it is read `at: next`"
    ),
    "pairs from one moment": Fault(
        START, "start: {op: at, at: time}", IN_PAIRS, "nothing below .* `at: each`"
    ),
    "records in turn that are not read": Fault(
        EACH_SYSTOLIC,
        f"of: {SYSTOLIC}",
        OVER,
        "looks at records in turn, but nothing below it is read `at: each`",
    ),
    "taken by a record slot": Fault(
        "take: which", "take: time", OVER, "take: time is neither all, earliest, latest"
    ),
    "pairs chosen by a word": Fault(
        "how: highest",
        "how: highest\n              take: which",
        "  take: which\n              of: {op: m",
        "no such key here, got 'which'",
    ),
    "all of so many": Fault("take: which", "take: all", OVER, "take: all goes without n"),
    "the latest, without how many": Fault(
        "take: which, n: 2", "take: latest", OVER, "take: latest goes with n"
    ),
    "a moment at a word": Fault(
        START, "start: {op: at, at: which}", MINUTES, "at: which names no record slot"
    ),
    "a moment that is a value": Fault(
        "{op: at, at: each}",
        SYSTOLIC,
        "op: vital, vital: sbp_mmhg, at: time}, end",
        r"\.start\.op: got 'vital'",
    ),
    "beats compared with millimetres": Fault(
        SYSTOLIC,
        SYSTOLIC.replace("sbp_mmhg", "heart_rate_bpm"),
        "right: {op: vital",
        "contradictory units: bpm is .* compared with mmHg",
    ),
    "a weight added to points": Fault(
        OXYGEN,
        f"{OXYGEN}\n        - {{op: given, name: weight}}",
        "- {op: given, name: w",
        "contradictory units: kg is added to .* points",
    ),
    "a unit that the tree contradicts": Fault(
        "  unit: points",
        "  unit: mmHg",
        "unit: mmHg",
        "contradictory units: the tree gives points, the template",
    ),
    "half a comparison": Fault(
        AGE, "not: {left: {op: given, name: age}}", "not: {left", r"not\.comparator: it is missing"
    ),
    "one condition for all": Fault(f"              - {AGE}\n", "", "all:", r"\.all: .*at least 2"),
    "a wording with an unknown slot": Fault(
        "{time}, over",
        "{time} and {later}, over",
        "{later}",
        r"exactly the slots .* got \['later', 'time', 'which'\]",
    ),
    "a wording with an open brace": Fault(
        "points at {time}", "points { at {time}", "points {", r"wording\.0: "
    ),
    "a given named like a slot": Fault(
        "    age: {kind", "    time: {kind", "time: {kind: record, l", "is a slot too"
    ),
    "a label with a digit": Fault(
        "label: body weight", "label: weight 2", "weight 2", r"\.label: string should"
    ),
    "a range upside down": Fault(
        'low: "45", high', 'low: "450", high', '"450"', "low 450 is not below high 120"
    ),
    "a range finer than its digits": Fault(
        'low: "45"', 'low: "45.5"', '"45.5"', "45.5 has more than 0 decimals"
    ),
    "an example without its given": Fault(
        ', weight: "110"',
        "",
        '    givens: {oxygen: "yes"}',
        r"an example gives exactly \['oxygen', 'weight'\]",
    ),
    "an example without its slot": Fault(
        ", which: latest}", "}", '    slots: {time: "2', "fills exactly the slots"
    ),
    "an example without a time": Fault(
        'charttime: "2150-01-01 09:00:00", ', "", "resp_rate_bpm: 16", "charttime: it is missing"
    ),
    "a count among the mistakes": Fault(
        "  answer_type: number\n", COUNTED, "tree:\n        op: count", "gives a number too"
    ),
}


def bank_of(folder: Path, text: str) -> Path:
    (folder / "mine.yaml").write_text(text, encoding="utf-8")
    return folder


def test_the_score_is_sound(tmp_path: Path) -> None:
    (template,) = load_bank(bank_of(tmp_path, SCORE))
    assert template.vitals == {"resp_rate_bpm", "sbp_mmhg"}
    assert template.example is not None
    assert template.example.records[0].age_years == 70


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_names_file_line_and_remedy(tmp_path: Path, fault: Fault) -> None:
    assert fault.old in SCORE
    text = SCORE.replace(fault.old, fault.new, 1)
    line = text[: text.index(fault.place)].count("\n") + 1
    said = rf"mine\.yaml:{line}: .*({fault.message}).*; correct the template"
    with pytest.raises(InputError, match=said) as caught:
        load_bank(bank_of(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_a_slot_that_the_tree_does_not_read_is_a_fault(tmp_path: Path) -> None:
    text = SCORE.replace("at: time}", "at: latest}")
    with pytest.raises(InputError, match=r"mine\.yaml:10: slots\.time: time is never read by the tree"):
        load_bank(bank_of(tmp_path, text))


def test_a_slot_cannot_take_a_word_of_the_language(tmp_path: Path) -> None:
    text = SCORE.replace("which", "latest")
    with pytest.raises(
        InputError, match=r"mine\.yaml:11: slots\.latest: latest cannot name one of the slots"
    ):
        load_bank(bank_of(tmp_path, text))


def test_a_template_is_dumped_as_it_is_written(tmp_path: Path) -> None:
    (template,) = load_bank(bank_of(tmp_path, SCORE))
    assert Template.model_validate_json(template.model_dump_json()) == template


def test_what_is_built_without_yaml_is_checked_too() -> None:
    head = {"id": "retrieval.x", "version": 1, "status": "draft", "operation": "retrieval", "subtype": "x"}
    tree = {"op": "round", "of": {"op": "vital", "vital": "sbp_mmhg", "at": "then"}}
    rest = {"steps": 0, "wording": ["?"], "answer_type": "number", "decimals": 0, "source": "x"}
    with pytest.raises(ValueError, match="names no record slot") as caught:
        Template.model_validate({**head, **rest, "tree": tree})
    fault = caught.value.errors()[0]["ctx"]["error"]  # type: ignore[attr-defined]
    assert isinstance(fault, FaultError)
    assert fault.path == ("tree", "of", "at")
