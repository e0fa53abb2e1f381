"""Tables of papers: every figure counted once more by hand, and the reasons where there is none."""

from decimal import Decimal

import numpy as np
import pytest

from clinicnum.robustness.run_answers_and_pairs import Answer, Run
from clinicnum.scoring import score
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.interval_estimate import Figure
from clinicnum.stats.jackknife import cluster_jackknife_interval
from clinicnum.tables import PaperTable, paper_tables
from clinicnum.tables.attacks import axis_of
from clinicnum.tables.mean_median_intervals import chance_above, difference_of_means, median
from clinicnum.tables.personas import groups_of
from tests.clinicnum import planted_tables as planted
from tests.clinicnum.answering import generation, instance

Cells = dict[tuple[str, ...], Figure]


QUESTIONS = range(planted.TEMPLATES * planted.QUESTIONS)


@pytest.fixture(scope="module")
def run() -> Run:
    return planted.draw(np.random.default_rng(7)).run


@pytest.fixture(scope="module")
def tables(run: Run) -> dict[str, PaperTable]:
    return {one.name: one for one in paper_tables([run], margins={"mmHg": Decimal(12)})}


def cells(table: PaperTable, measure: str) -> Cells:
    at = [one.key for one in table.measures].index(measure)
    return {row.texts: row.figures[at] for row in table.rows}


def right(run: Run, kind: str, number: int) -> bool:
    return run.answers[f"{kind}-{number}"].right


def test_a_factor_stands_beside_its_reference_on_the_same_questions(
    run: Run, tables: dict[str, PaperTable]
) -> None:
    asked = [i for i in QUESTIONS if run.answers[f"base-{i}"].instance.operation == "arithmetic"]
    row = ("planted", "input.typo", "base", "arithmetic")
    table = tables["accuracy_by_factor"]
    variant, base = ([right(run, kind, i) for i in asked] for kind in ("input.typo", "base"))
    assert cells(table, "accuracy")[row].value == pytest.approx(np.mean(variant))
    assert cells(table, "reference_accuracy")[row].value == pytest.approx(np.mean(base))
    assert cells(table, "difference")[row].value == pytest.approx(np.mean(variant) - np.mean(base))
    written = cells(table, "difference")["planted", "as templated", "as structured", "arithmetic"]
    other = [right(run, "templated", i) for i in asked]
    assert written.value == pytest.approx(np.mean(other) - np.mean(base))
    factors = {texts[1] for texts in cells(table, "accuracy")}
    assert not any("persona" in one for one in factors), "personas have a table of their own"


def test_right_answers_that_any_attack_breaks(run: Run, tables: dict[str, PaperTable]) -> None:
    # Of the kinds, the withheld and the changed value move the right answer, and personas change the prompt.
    held = [right(run, "input.typo", i) and right(run, "input.synonym", i) for i in QUESTIONS]
    base = [right(run, "base", i) for i in QUESTIONS]
    row = ("planted", "all", "all", "2.0")
    broken = cells(tables["broken_by_any_attack"], "broken")[row]
    assert broken.n == sum(base)
    assert broken.value == pytest.approx(1 - np.mean([h for h, b in zip(held, base, strict=True) if b]))
    both = cells(tables["broken_by_any_attack"], "throughout")[row]
    assert both.value == pytest.approx(np.mean([h and b for h, b in zip(held, base, strict=True)]))


def test_errors_are_told_by_unit_and_by_the_margin_that_was_named(
    run: Run, tables: dict[str, PaperTable]
) -> None:
    off = [abs(float(one.score.parsed or 0) - planted.GOLD) for one in run.bases]
    wrong = [size for size, one in zip(off, run.bases, strict=True) if not one.right]
    table = tables["error_magnitude"]
    assert cells(table, "within_margin")["planted", "mmHg"].value == pytest.approx(
        np.mean(np.array(off) <= 12)
    )
    assert cells(table, "within_5_percent")["planted", "mmHg"].value == pytest.approx(
        np.mean(np.array(off) <= 5)
    )
    assert cells(table, "absolute_error")["planted", "mmHg"].value == pytest.approx(np.median(wrong))
    assert "12 mmHg" in table.note


def test_errors_without_a_unit_are_not_put_together_but_counts_are() -> None:
    asked = [instance(i, unit=None, answer_type="count" if i < 20 else "number") for i in range(40)]
    asked = [one.model_copy(update={"dimensions": {"category": "ab"[i % 2]}}) for i, one in enumerate(asked)]
    made = [(one, generation("108" if i % 2 else "110", of=one)) for i, one in enumerate(asked)]
    answers = {one.instance_id: Answer(one, g, score(instance=one, generation=g)) for one, g in made}
    found = {one.name: one for one in paper_tables([Run("m", answers)])}
    absolute = cells(found["error_magnitude"], "absolute_error")
    assert absolute["m", "count"].value == 2
    assert (absolute["m", "no unit"].undefined or "").startswith("no field names a unit")
    by_category = cells(found["accuracy_by_dimension"], "accuracy")
    assert by_category["m", "category", "a"].value == 1
    assert by_category["m", "category", "b"].value == 0
    assert [row.texts[1] for row in found["effort"].rows] == [], "each answer is one word"


def test_steps_templates_and_subgroups_part_all_answers(run: Run, tables: dict[str, PaperTable]) -> None:
    for name in ("accuracy_by_steps", "accuracy_by_template"):
        assert sum(one.n for one in cells(tables[name], "accuracy").values()) == len(run.bases)
    groups = cells(tables["accuracy_by_subgroup"], "accuracy")
    assert sum(one.n for texts, one in groups.items() if texts[1] == "age") == len(run.bases)
    differences = cells(tables["accuracy_by_subgroup"], "difference")
    women, men = (differences["planted", "sex", one] for one in ("female", "male"))
    assert women.value == pytest.approx(-(men.value or 0))
    parts = [groups["planted", "sex", one].value or 0 for one in ("female", "male")]
    assert women.value == pytest.approx(parts[0] - parts[1])


def test_a_persona_stands_beside_the_default_prompt(run: Run, tables: dict[str, PaperTable]) -> None:
    row = ("planted", "not medical", "teacher", "cautious")
    asked = [run.answers[f"prompt.persona.teacher.cautious-{i}"] for i in QUESTIONS]
    sure = [one.generation.answer_confidence or 0 for one in asked]
    over = cells(tables["personas"], "overconfidence")[row]
    assert over.value == pytest.approx(np.mean(sure) - np.mean([one.right for one in asked]))
    assert groups_of(["prompt.persona.nurse.bold"]) == [("medical", "nurse", "bold")]
    both = groups_of(["prompt.persona.nurse.bold", "prompt.persona.nurse.terse"])
    assert both[2:] == [("medical", "nurse", "all")], "wider groups would hold the same answers"


def test_axes_are_those_of_the_paper_and_ours() -> None:
    assert axis_of("missing.masked") == "masking"
    assert axis_of("numeric.relevant") == axis_of("numeric.irrelevant") == "numbers"
    assert axis_of("representation.no_units+input.typo") == "representation and typing slips"


def test_means_medians_and_chances_by_hand() -> None:
    subjects = Subjects.of("abcdeabcde")
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 2.0, 3.0, 4.0, 5.0, 60.0])
    wrong = np.array([False] * 5 + [True] * 5)
    assert difference_of_means(subjects, values, wrong, without="").value == pytest.approx(74 / 5 - 3)
    # Wins of 2, 3, 4, 5, 60 over 1..5, an equal one a half: 1.5 + 2.5 + 3.5 + 4.5 + 5 = 17 of 25.
    found = chance_above(subjects, values, wrong, without="")
    assert found.value == pytest.approx(17 / 25)
    # Its interval is that of the jackknife that computes it anew without each subject.
    names = np.array(list("abcdeabcde"))
    without_one = [
        chance_above(Subjects.of(names[names != one]), values[names != one], wrong[names != one], without="")
        for one in "abcde"
    ]
    anew = cluster_jackknife_interval(
        [one.value for one in without_one], 17 / 25, n_items=10, bounds=(0.0, 1.0), effective=5.0
    )
    assert (found.interval.low, found.interval.high) == pytest.approx((anew.low, anew.high))
    middle = median(subjects, values, without="")
    assert middle.value == pytest.approx(3.5)
    assert middle.interval.low is not None
    assert middle.interval.high is not None
    assert middle.interval.low <= 3.5 <= middle.interval.high <= 60
    assert median(Subjects.of(()), np.zeros(0), without="nothing").undefined == "nothing"
    assert chance_above(subjects, values, np.ones(10, dtype=bool), without="one kind").undefined == "one kind"


def test_a_difference_has_no_interval_where_a_side_has_few_subjects() -> None:
    subjects = Subjects.of("abcdefghij" * 2)
    values = np.arange(20.0)
    four = np.isin(np.arange(20), [0, 1, 2, 3, 10, 13])
    for figure in (difference_of_means, chance_above):
        found = figure(subjects, values, four, without="")
        assert found.value is not None
        assert found.interval.low is None
        assert found.interval.undefined == (
            "no interval of the comparison: 4 subjects on one side; an interval needs at least 5"
        )
        assert figure(subjects, values, four | (values == 4), without="").interval.low is not None


def test_a_table_that_cannot_be_made_says_why() -> None:
    found = {one.name: one for one in paper_tables([Run("none", {})])}
    assert all(not one.rows and one.undefined for one in found.values())
    assert found["personas"].undefined == (
        "no question was answered under a persona (`--variants prompt.persona.ROLE.STYLE`)"
    )
