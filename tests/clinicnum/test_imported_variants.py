"""Variants of items made elsewhere: the gold stands in each, its place is balanced, lint agrees."""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clinicnum.errors import InputError
from clinicnum.io.jsonl import read_meta
from clinicnum.lint.lint_results import Finding
from clinicnum.prompt import messages_for, option_letter
from clinicnum.robustness.option_order import options_rows
from clinicnum.robustness.run_answers_and_pairs import join
from clinicnum.scoring import score
from clinicnum.scoring.multiple_choice import right_option, right_place
from clinicnum.scripts.cli import run_command
from clinicnum.types import Generation, Instance
from clinicnum.variants import parse_variants
from clinicnum.variants.imported import IMPORTED_KINDS, ImportedVariants
from clinicnum.variants.imported.option_references import (
    REFERS,
)
from clinicnum.variants.imported.typos import WORDS, misspelt_text, without_slips
from clinicnum.variants.imported.unrelated_lines import NOTICES, without_notice
from clinicnum.variants.typo import slips_of
from tests.clinicnum.importing import import_items
from tests.clinicnum.lint_planting import examined
from tests.open_data import MEDCALC, MEDEC

MMLU = Path(__file__).parents[1] / "data" / "mmlu" / "clinical_knowledge_test.csv"
ORDERS = tuple(f"options.shuffle.{number}" for number in range(1, 6))
VARIANTS = ",".join(
    (
        *(*ORDERS, "input.typo", "input.distractor", "prompt.direct", "input.typo+options.shuffle.1"),
        *("context.retrieved", "context.long.1000", "input.distractor+context.retrieved"),
    )
)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Instance]:
    out = tmp_path_factory.mktemp("mmlu") / "bench.jsonl"
    return import_items("csv-choice", MMLU, out, "--open-data", "--variants", VARIANTS)


def of_kind(bench: dict[str, Instance], kind: str) -> list[tuple[Instance, Instance]]:
    """(base, variant) of each variant of a kind."""
    return [(bench[one.base_id or ""], one) for one in bench.values() if one.variant == kind]


def meta_of(tmp_path: Path, source: Path, format_: str, variants: str, *more: str) -> dict[str, Any]:
    import_items(format_, source, tmp_path / "bench.jsonl", "--variants", variants, *more)
    return read_meta(tmp_path / "bench.jsonl") or {}


def test_shuffled_items_keep_options_and_gold_and_the_places_are_balanced(bench: dict[str, Instance]) -> None:
    places: dict[str, Counter[int | None]] = defaultdict(Counter)
    for kind in ORDERS:
        for base, variant in of_kind(bench, kind):
            assert sorted(variant.options) == sorted(base.options)
            assert right_option(variant) == right_option(base)
            assert (variant.group_id, variant.expected, variant.context) == (
                base.group_id,
                "same",
                base.context,
            )
            places[kind][right_place(variant)] += 1
    for kind in ORDERS:  # 27 items, so 7, 7, 7 and 6
        assert sorted(places[kind].values()) == [6, 7, 7, 7], kind
    orders = defaultdict(set)
    for one in bench.values():
        if one.variant in ORDERS:
            orders[one.base_id].add(one.options)
    assert {len(found) for found in orders.values()} == {5}


def test_what_is_not_shuffled_is_counted_with_its_reason(tmp_path: Path) -> None:
    told = meta_of(tmp_path, MMLU, "csv-choice", "options.shuffle.2", "--open-data")["variants"]
    assert told == {
        "asked": ["options.shuffle.2"],
        "made": {"options.shuffle.2": 27},
        "rejected": {},
        "not_applicable": {f"options.shuffle.2 {REFERS}": 1},
    }


def test_same_seed_same_variants_and_another_seed_is_another_benchmark(tmp_path: Path) -> None:
    def made(seed: str) -> list[Instance]:
        more = ("--variants", "options.shuffle.1,input.distractor", "--seed", seed)
        return list(import_items("csv-choice", MMLU, tmp_path / f"{seed}.jsonl", *more).values())

    assert made("1") == made("1")
    assert made("1")[0].benchmark_id != made("2")[0].benchmark_id
    assert [one.options for one in made("1")] != [one.options for one in made("2")]


def test_a_slip_is_no_other_word_and_is_read_back() -> None:
    made = Counter(slip for word in WORDS for slip in slips_of(word))
    assert max(made.values()) == 1
    assert not set(made) & set(WORDS)
    text = "Following treatment in hospital, the condition: 12.5 mg, FOLLOWING 3 days."
    for seed in range(200):
        slipped = misspelt_text(text, random.Random(seed))
        assert slipped != text
        assert without_slips(slipped) == text


def test_typing_errors_leave_numbers_options_and_other_words_alone(bench: dict[str, Instance]) -> None:
    found = of_kind(bench, "input.typo")
    assert found
    for base, variant in found:
        assert variant.options == base.options
        assert variant.question != base.question
        assert without_slips(variant.question) == base.question


def test_a_distractor_shares_no_word_and_no_number_with_the_item(tmp_path: Path) -> None:
    items = import_items(
        "medcalc", MEDCALC, tmp_path / "b.jsonl", "--variants", "input.distractor,input.typo"
    )
    found = of_kind(items, "input.distractor")
    assert len(found) > 50
    for base, variant in found:
        assert without_notice(variant.context) == base.context
        line = variant.context.rpartition("\n")[2]
        assert line in NOTICES
        numbers = [word for word in line.replace(":", " ").replace(",", " ").split() if word[0].isdigit()]
        assert not set(numbers) & set(f"{base.context} {base.question}".split())


def test_another_prompt_changes_the_messages_alone(bench: dict[str, Instance]) -> None:
    for base, variant in of_kind(bench, "prompt.direct"):
        assert variant.prompt_id == "choice.direct"
        assert messages_for(variant) != messages_for(base)
        assert base == variant.model_copy(
            update={
                "instance_id": base.instance_id,
                "variant": None,
                "base_id": None,
                "expected": None,
                "prompt_id": base.prompt_id,
            }
        )


def test_notes_that_are_searched_for_errors_get_none(tmp_path: Path) -> None:
    told = meta_of(tmp_path, MEDEC, "medec", ",".join(IMPORTED_KINDS))
    assert told["variants"]["made"] == {}
    assert told["variants"]["not_applicable"]["input.typo the text itself is what is asked about"] == 70


def test_kinds_that_need_records_are_refused_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bench.jsonl"
    asked = ["import", "items", "--format", "csv-choice", "--from", str(MMLU), "--out", str(out)]
    assert run_command([*asked, "--variants", "input.typo,numeric.relevant"]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "'numeric.relevant' needs records" in line
    assert not list(tmp_path.iterdir())
    with pytest.raises(InputError, match=r"expected some of input\.typo"):
        ImportedVariants(parse_variants("chain.extra_step"), 0)


def test_lint_finds_nothing_in_any_kind(
    bench: dict[str, Instance], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert {one.variant for one in bench.values()} == {None, *VARIANTS.split(",")}
    path = tmp_path / "b.jsonl"
    path.write_text("".join(f"{one.model_dump_json()}\n" for one in bench.values()), encoding="utf-8")
    assert run_command(["lint", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []


def _other_letter(item: Instance) -> Instance:
    place = right_place(item) or 0
    return item.model_copy(update={"answer": option_letter((place + 1) % 4)})


PLANTS: dict[str, tuple[str, Callable[[Instance], Instance]]] = {
    "variant.answer_not_same": ("options.shuffle.1", _other_letter),
    "options.changed": ("options.shuffle.2", lambda item: _with_option(item, "something else")),
    "options.order": ("options.shuffle.3", lambda item: _with_option(item, "all of the above")),
    "options.gold": ("options.shuffle.4", lambda item: item.model_copy(update={"answer": "Q"})),
    "variant.text": ("input.typo", lambda item: _asking(item, f"{item.question} Not so?")),
    "variant.text ": (
        "context.retrieved",
        lambda item: _asking(item, item.question.partition("\n")[0] + " So?"),
    ),
}


def _asking(item: Instance, question: str) -> Instance:
    return item.model_copy(update={"question": question})


def _with_option(item: Instance, text: str) -> Instance:
    place = ((right_place(item) or 0) + 1) % 4
    return item.model_copy(update={"options": (*item.options[:place], text, *item.options[place + 1 :])})


@pytest.mark.parametrize("rule", PLANTS)
def test_lint_names_what_a_variant_changes_beyond_its_kind(
    rule: str, bench: dict[str, Instance], tmp_path: Path
) -> None:
    kind, change = PLANTS[rule]
    _base, planted = of_kind(bench, kind)[0]
    items = [change(one) if one is planted else one for one in bench.values()]
    said = examined(tmp_path, items, ())[0]
    found = [(one.instance_id, one.rule) for one in said if isinstance(one, Finding)]
    assert found == [(planted.instance_id, rule.strip())]


def answered(bench: dict[str, Instance], choose: Any) -> Any:
    generations = [
        Generation(generation_id=key, run_id="r", instance_id=key, text=choose(one), finish_reason="stop")
        for key, one in bench.items()
    ]
    scores = [score(instance=bench[one.instance_id], generation=one) for one in generations]
    return options_rows(join("m", bench, generations, scores), None)


def test_a_model_that_knows_and_one_that_has_a_favourite_letter_are_told_apart(
    bench: dict[str, Instance],
) -> None:
    plain = {key: one for key, one in bench.items() if one.variant is None or one.variant in ORDERS}
    (knows,) = answered(plain, lambda one: option_letter(right_place(one)))
    assert (knows.robust_accuracy.value, knows.consistency.value, knows.n_incomplete) == (1.0, 1.0, 0)
    (likes_a,) = answered(plain, lambda _one: "A")
    assert likes_a.robust_accuracy.value == likes_a.consistency.value == 0.0
    assert likes_a.places == (135, 0, 0, 0)
    assert likes_a.accuracy.value == pytest.approx(0.25, abs=0.02)
