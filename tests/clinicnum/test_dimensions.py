"""Dimensions of imported items: kept by every importer, with accuracy by each; and parts of answers."""

import json
from collections import Counter
from pathlib import Path

import pytest

from clinicnum.io.jsonl import content_id, read_jsonl, sha256_file
from clinicnum.item_dimensions import MOST, problem, values_by_dimension
from clinicnum.scoring import score
from clinicnum.scoring.part_scores import part_scores
from clinicnum.scripts.cli import run_command
from clinicnum.stats.dimension_accuracy import accuracy_by_dimension
from clinicnum.types import Generation, Instance, Score
from tests.clinicnum.importing import import_items
from tests.db.examples import instance
from tests.open_data import MEDCALC, MEDCALC_ANSWERS, MEDEC


def said(text: str, of: Instance) -> Generation:
    return Generation(
        generation_id=of.instance_id, run_id="r", instance_id=of.instance_id, text=text, finish_reason="stop"
    )


def test_accuracy_by_category_is_what_medcalc_bench_stores_of_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench, answers, out = (tmp_path / name for name in ("bench.jsonl", "answers.jsonl", "scores.jsonl"))
    import_items("medcalc", MEDCALC, bench)
    asked = ["--benchmark", str(bench), "--model-name", "gpt-4o-mini", "--out", str(answers)]
    imported = ["import", "generations", "--format", "medcalc", "--from", str(MEDCALC_ANSWERS), *asked]
    assert run_command(imported) == 0
    capsys.readouterr()
    scored = ["score", "--benchmark", str(bench), "--generations", str(answers), "--out", str(out)]
    assert run_command([*scored, "--json"]) == 0
    rows = [
        row for row in json.loads(capsys.readouterr().out)["dimensions"] if row["dimension"] == "category"
    ]
    stored = [json.loads(line) for line in MEDCALC_ANSWERS.read_text(encoding="utf-8").splitlines()]
    right = Counter(one["Category"] for one in stored if one["Result"] == "Correct")
    whole = Counter(one["Category"] for one in stored)
    assert len(whole) == 7
    assert {row["value"]: (row["correct"], row["n"] + row["n_errors"]) for row in rows} == {
        name: (right[name], n) for name, n in whole.items()
    }
    assert run_command(scored) == 0
    told = capsys.readouterr().out
    for name, n in whole.items():
        (line,) = (line for line in told.splitlines() if line.startswith("category") and f" {name} " in line)
        assert line.endswith(f"{100 * right[name] / n:.1f} %")
    assert "calculator has" in told


def test_medec_keeps_its_kinds_of_error_out_of_what_annotators_see(tmp_path: Path) -> None:
    notes = import_items("medec", MEDEC, tmp_path / "bench.jsonl").values()
    assert {one.dimensions["source"] for one in notes} == {"ms"}
    before = content_id(
        ["import", "medec", sha256_file(MEDEC), "medec"]
    )  # as it was stored without dimensions
    assert before not in {one.benchmark_id for one in notes}
    assert {one.dimensions["error_type"] for one in notes} >= {"no error", "diagnosis"}
    assert all(not one.tags for one in notes)


def test_columns_of_any_csv_become_dimensions_and_survive_the_file(tmp_path: Path) -> None:
    source = tmp_path / "items.csv"
    source.write_text("question,answer,Sprache,difficulty,Dept,rest\nHow?,1,de,2,icu,x\nWhy?,2,en,10,,y\n")
    columns = "question=question,answer=answer,language=Sprache,difficulty=difficulty,dimension.ward=Dept"
    bench = tmp_path / "bench.jsonl"
    first, second = import_items("csv-number", source, bench, "--columns", columns).values()
    assert first.dimensions == {"language": "de", "difficulty": "2", "ward": "icu"}
    assert second.dimensions == {"language": "en", "difficulty": "10"}
    assert first.slots == {"rest": "x"}
    assert list(read_jsonl(bench, Instance)) == [first, second]
    found = values_by_dimension([first, second])
    assert found == {"language": ["de", "en"], "difficulty": ["2", "10"], "ward": ["icu", ""]}
    proposed, _ = import_items("csv-number", source, tmp_path / "proposed.jsonl").values()
    assert proposed.dimensions == {"language": "de", "difficulty": "2"}


def test_keys_of_jsonl_become_dimensions(tmp_path: Path) -> None:
    source = tmp_path / "items.jsonl"
    item = {"question": "Which?", "options": ["a", "b"], "answer": "A", "category": "shock", "turn": 2}
    source.write_text(json.dumps(item | {"dimensions": {"set": "hard"}}))
    (found,) = import_items("choice", source, tmp_path / "bench.jsonl").values()
    assert found.dimensions == {"category": "shock", "turn": "2", "set": "hard"}
    assert found.template_id == "choice.shock"


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"": "x"}, "expected a plain name"),
        ({"task": "a\nb"}, "expected a plain value"),
        ({"task": "x" * 300}, "expected a plain value"),
        ({f"d{n}": "x" for n in range(MOST + 1)}, f"expected at most {MOST}"),
    ],
)
def test_a_dimension_that_no_table_could_show_is_refused(given: dict[str, str], wrong: str) -> None:
    assert wrong in (problem(given) or "")


def test_our_own_items_have_no_dimensions_and_are_written_as_before() -> None:
    assert "dimensions" not in instance(0).model_dump_json()
    scored = Score(
        generation_id="g", parsed="1", form=None, status="correct", strict=True, lenient=True, reason=""
    )
    assert accuracy_by_dimension([(instance(0), scored)]) == ()


def test_macro_recall_of_answer_points_is_a_part_of_the_scores() -> None:
    point = {"id": "1", "text": "the shock index is 1.5", "value": "1.5"}
    asked = instance(0).model_dump() | {"operation": "external", "scoring": "points", "answer_type": "points"}
    asked |= {"flags": ()}
    of = Instance.model_validate(asked | {"points": [point, {"id": "2", "text": "x", "value": "shock"}]})
    (found,) = part_scores([(of, said("It is 1.5.", of)), (of, said("It is 1.5, a sign of shock.", of))])
    assert (found.part, found.n, found.value) == ("points", 2, 0.75)


@pytest.mark.parametrize(("prompt", "strict"), [("external", False), ("text", True), ("medec", True)])
def test_nothing_fails_a_form_that_its_prompt_does_not_ask_for(prompt: str, strict: bool) -> None:
    asked = {"operation": "external", "prompt_id": prompt, "answer_type": "number", "answer": "10"}
    of = instance(0).model_copy(update={**asked, "unit": None, "decimals": None, "scoring": "numeric"})
    found = score(instance=of, generation=said("The answer is 10.", of))
    assert (found.lenient, found.strict) == (True, strict)
