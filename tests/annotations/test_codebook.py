"""The codebook has an entry for everything that may be chosen, and the default guideline holds all of it."""

from html import unescape

import pytest

from clinicnum.annotations.codebook import codebook, codes_by_step, option_id
from clinicnum.annotations.guideline import (
    DEFAULT_VERSION,
    FIRST_VERSION,
    default_guideline,
    guideline_version_words,
)
from clinicnum.annotations.judgement import FIELDS, SEVERITIES
from clinicnum.annotations.taxonomy import Taxonomy, load_taxonomy
from clinicnum.diagnosis.finding import place_in_order
from clinicnum.taxonomy_codes import (
    ARITHMETIC_SLIP,
    FABRICATED_VALUE,
    NOT_ASKED_FORM,
    OTHER_QUESTION,
    PREMATURE_ROUNDING,
    WRONG_FORMULA,
    WRONG_RECORD,
)
from clinicnum.ui.components.render_markdown import render_markdown

BUILT_IN = load_taxonomy()
BOTH = pytest.mark.parametrize("taxonomy", [load_taxonomy(version="1"), BUILT_IN], ids=["1", "2"])


@BOTH
def test_everything_that_is_chosen_by_rules_has_a_complete_entry(taxonomy: Taxonomy) -> None:
    found = {entry.id: entry for entry in codebook(taxonomy)}
    judged = [
        option_id(name, option.value)
        for name in ("response_judgement", "item_judgement")
        for option in FIELDS[name].options
    ]
    levels = [option_id("severity", level) for level in SEVERITIES]
    assert set(found) == {*taxonomy.codes(), *judged, *levels}
    for entry in found.values():
        assert entry.definition, entry.id
        assert len(entry.examples) == 2, entry.id
        assert (entry.id in levels) or (entry.include and entry.exclude), entry.id
        assert set(entry.near) <= set(found) - {entry.id}
    texts = [entry.definition for entry in found.values()]
    assert len(set(texts)) == len(texts)


def test_near_a_code_are_those_that_its_rule_names_and_then_its_siblings() -> None:
    near = {entry.id: entry.near for entry in codebook(BUILT_IN)}
    assert near["omission.partial_answer"] == (
        *("unanswered.truncated", OTHER_QUESTION),
        *("omission.missed_record", "omission.missed_step", "omission"),
    )
    assert near["hallucination"][:2] == ("contextual_inconsistency", "causal_reasoning")
    assert near[option_id("severity", "4")] == (option_id("severity", "3"),)
    assert near[option_id("severity", "not_applicable")] == ()
    # Every code that the new one sends annotators to, or could be taken for, names it in turn.
    sends_back = ("omission.partial_answer", WRONG_RECORD, "unanswered", "hallucination.fabricated_time")
    for code in sends_back:
        assert OTHER_QUESTION in near[code], code
    assert near[OTHER_QUESTION][:4] == (
        *(WRONG_RECORD, "contextual_inconsistency.wrong_vital"),
        *("omission.partial_answer", "unanswered"),
    )


def test_each_step_of_the_order_has_its_codes_in_the_order_that_suggestions_follow() -> None:
    made_at = codes_by_step(BUILT_IN)
    assert list(made_at) == ["read", "select", "rule", "compute", "round and unit", "express"]
    assert made_at["read"][0] == "hallucination"
    assert OTHER_QUESTION in made_at["read"]
    assert made_at["compute"] == (ARITHMETIC_SLIP,)
    listed = [code for codes in made_at.values() for code in codes]
    assert len(listed) == len(set(listed))
    ranks = [
        place_in_order(code)
        for code in (FABRICATED_VALUE, WRONG_RECORD, WRONG_FORMULA, ARITHMETIC_SLIP, PREMATURE_ROUNDING)
    ]
    assert [*ranks, place_in_order(NOT_ASKED_FORM)] == sorted([*ranks, place_in_order(NOT_ASKED_FORM)])
    assert set(codes_by_step(load_taxonomy(version="1")).values()) == {()}


@BOTH
def test_the_default_guideline_holds_every_rule_and_says_what_it_is(taxonomy: Taxonomy) -> None:
    text = default_guideline(taxonomy)
    title = (
        f"# How to judge: the default guideline, made from taxonomy clinical-numeracy {taxonomy.version}\n"
    )
    assert text.startswith(title)
    html = render_markdown(text)
    plain = unescape(html)
    for entry in codebook(taxonomy):
        for part in (
            entry.name,
            entry.plain,
            entry.definition,
            entry.include,
            entry.exclude,
            *entry.examples,
        ):
            assert part.strip() in plain, (entry.id, part)
    for step in taxonomy.order:
        assert f"<strong>{step.name}</strong>" in html
        assert step.hint in plain
    assert "Without the gold answer." in html
    assert html.count("<h1>") == 1


def test_text_of_a_taxonomy_is_no_markup_in_the_guideline() -> None:
    first, *rest = BUILT_IN.classes
    hostile = first.model_copy(
        update={"name": "*bold* <b> [x](http://example.org)", "definition": "# a\n\n- b"}
    )
    html = render_markdown(default_guideline(BUILT_IN.model_copy(update={"classes": (hostile, *rest)})))
    assert "*bold* &lt;b&gt; [x](http://example.org)" in html
    assert "<p># a - b</p>" in html
    assert html.count("<h1>") == 1


def test_version_0_is_said_to_be_the_default() -> None:
    assert guideline_version_words(DEFAULT_VERSION) == "version 0, the default made from the taxonomy"
    assert guideline_version_words(FIRST_VERSION) == "version 1"
