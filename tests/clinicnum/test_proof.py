"""A wording is proven against its rule by a grammar that shares no code with the rule."""

import ast
import re
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.proof import prove as prove_module
from clinicnum.templates.proof.prove import Proof, prove
from clinicnum.templates.template import Template
from clinicnum.templates.tree import (
    ArithmeticNode,
    CompareNode,
    ConstantNode,
    Node,
    OverNode,
    PointsNode,
    SlopeNode,
    SumNode,
    TimeOfExtremeNode,
    TimeOfNode,
    VitalNode,
)
from clinicnum.templates.tree_walk import one_change
from clinicnum.types import SIX_VITALS
from clinicnum.variants.rewording import SYNONYMS
from tests.clinicnum.sound_templates import DBP, HR, SBP, SPO2, TIME, binary, compare, rounded, vital

PACKAGED = named_bank("all")
BY_ID = {template.id: template for template in PACKAGED}


def proofs(template: Template, **changes: Any) -> tuple[Proof, ...]:
    """Each wording of a template with other values of some keys."""
    return prove(template.model_copy(update=changes).model_dump(mode="json"))


def read(wording: str, tree: dict[str, Any], **more: Any) -> Proof:
    """One wording over one tree."""
    return prove({"wording": [wording], "tree": tree, **more})[0]


RESP = "resp_rate_bpm"
SUM = rounded(binary("add", vital(SBP, "time"), vital(DBP, "time")))
REVERSE = rounded(binary("subtract", vital(DBP, "time"), vital(SBP, "time")))


def first(name: str, comparator: str, limit: str) -> dict[str, Any]:
    """The time of the first record beyond a limit."""
    return {"op": "time_of", "which": "first", "where": compare(vital(name), comparator, limit)}


def counted(name: str, comparator: str, limit: str) -> dict[str, Any]:
    """The number of records beyond a limit."""
    return {"op": "count", "where": compare(vital(name), comparator, limit)}


@pytest.mark.parametrize("template", PACKAGED, ids=lambda one: f"{one.id}")
def test_every_packaged_wording_is_read_and_proven(template: Template) -> None:
    assert [(p.status, p.message) for p in proofs(template)] == [("proven", "")] * len(template.wording)


@pytest.mark.parametrize(
    ("wording", "tree", "said"),
    [
        ("What was the heart rate at {time}?", SUM, "it says heart rate; the rule has diastolic"),
        ("What was systolic minus diastolic pressure at {time}?", REVERSE, "it says systolic pressure minus"),
        ("When was SpO2 first below 95 %?", first(SPO2, "above", "95"), "says below 95; the rule has above"),
        (
            "In how many records was the respiratory rate above 110 breaths/min?",
            counted(HR, "above", "110"),
            "it says respiratory rate; the rule has heart rate",
        ),
        (
            "In how many records was the heart rate above 100 bpm?",
            counted(HR, "at_least", "100"),
            "it says above 100; the rule has at least 100",
        ),
        ("When was the heart rate last above 100 bpm?", first(HR, "above", "100"), "it says last; the rule"),
        ("When was the heart rate first above 100 mmHg?", first(HR, "above", "100"), "in bpm with one in mm"),
        (
            "What was the pulse pressure (diastolic minus systolic) at {time}?",
            REVERSE,
            "the name it uses and the formula it gives for it differ",
        ),
        # Only in part in the words of the grammar.
        ("Tell me when the pulse first went somewhere.", first(SPO2, "above", "95"), "names heart rate"),
        ("Say how often a heart rate above 100 bpm is met.", counted(HR, "at_least", "100"), "above 100"),
    ],
)  # fmt: skip
def test_a_wording_that_contradicts_its_rule_is_told(wording: str, tree: dict[str, Any], said: str) -> None:
    proof = read(wording, tree, slots=TIME if "{time}" in wording else {})
    assert proof.status == "contradicted"
    assert said in proof.message


@pytest.mark.parametrize(
    ("wording", "tree"),
    [
        ("By and large, how did the heart fare?", counted(HR, "above", "100")),
        ("Of all charts, say how often a heart rate above 100 bpm is met.", counted(HR, "above", "100")),
        ("((((((((((" * 40, counted(HR, "above", "100")),
        ("What was " + "heart rate + " * 900 + "1?", counted(HR, "above", "100")),
        ("In how many records was " + "heart rate above 100 or " * 60 + "2?", counted(HR, "above", "100")),
        ("", counted(HR, "above", "100")),
    ],
)
def test_what_the_grammar_does_not_read_is_not_proven_and_does_not_hang(
    wording: str, tree: dict[str, Any]
) -> None:
    began = time.process_time()
    assert read(wording, tree).status == "not_proven"
    assert time.process_time() - began < 5


def test_a_condition_that_a_wording_presumes_must_be_required() -> None:
    template = BY_ID["arithmetic.hr_over_baseline"]
    assert [p.status for p in proofs(template)] == ["proven", "proven"]
    assert [p.status for p in proofs(template, requires=())] == ["proven", "contradicted"]


OTHER: dict[str, tuple[str, ...]] = {
    "comparator": ("above", "below", "at_least", "at_most"),
    "how": ("mean", "sum", "highest", "lowest"),
    "vital": SIX_VITALS,
    "take": ("earliest", "latest"),
}


def _changes(node: Node) -> Iterator[tuple[str, Node]]:
    """Every small change that gives a node another meaning."""
    yield from _other_words(node)
    if isinstance(node, ConstantNode):
        yield "number", node.model_copy(update={"value": node.value + Decimal(1)})
    if isinstance(node, ArithmeticNode):
        signs = {"add", "subtract", "multiply", "divide"} - {node.op}
        yield from (("sign", node.model_copy(update={"op": sign})) for sign in sorted(signs))
    ordered = isinstance(node, ArithmeticNode) and node.op in ("subtract", "divide")
    if isinstance(node, CompareNode) or ordered:
        yield "order", node.model_copy(update={"left": node.right, "right": node.left})  # type: ignore[attr-defined]
    if isinstance(node, OverNode | SlopeNode) and node.n:
        yield "n", node.model_copy(update={"n": node.n + 1})
    if isinstance(node, PointsNode):
        more = node.bands[0].model_copy(update={"points": node.bands[0].points + 1})
        yield "points", node.model_copy(update={"bands": (more, *node.bands[1:])})
    if isinstance(node, SumNode) and len(node.of) > 2:
        yield "left out", node.model_copy(update={"of": node.of[1:]})


def _other_words(node: Node) -> Iterator[tuple[str, Node]]:
    for name, values in OTHER.items():
        was = getattr(node, name, None)
        if was is not None and not (name == "take" and was == "all"):
            yield from ((name, node.model_copy(update={name: value})) for value in values if value != was)
    if isinstance(node, VitalNode) and node.at not in ("earliest", "latest"):
        yield "record", node.model_copy(update={"at": "earliest"})
    if isinstance(node, TimeOfNode):
        yield "which", node.model_copy(update={"which": "last" if node.which == "first" else "first"})
    if isinstance(node, TimeOfExtremeNode):
        yield "which", node.model_copy(update={"which": "lowest" if node.which == "highest" else "highest"})


SIGNLESS = {"aggregation.average_real_variability.sbp", "aggregation.largest_change.temperature"}
"""A difference without its sign is the same in either order."""


def test_every_changed_rule_contradicts_every_wording() -> None:
    kinds: dict[str, int] = {}
    for template in PACKAGED:
        for kind, tree in one_change(template.tree, _changes):
            if kind == "order" and template.id in SIGNLESS:
                continue
            for proof in proofs(template, tree=tree):
                assert proof.status == "contradicted", (template.id, kind, template.wording[proof.wording])
                assert proof.message
            kinds[kind] = kinds.get(kind, 0) + 1
    assert sum(kinds.values()) > 1_500
    assert set(kinds) == {*OTHER, "record", "which", "sign", "number", "order", "n", "points", "left out"}


def test_a_wording_in_other_words_is_proven_too() -> None:
    for template in PACKAGED:
        for term, words in SYNONYMS:
            for other in words:
                wording = tuple(re.sub(rf"\b{term}\b", other, one) for one in template.wording)
                if wording != template.wording:
                    assert {p.status for p in proofs(template, wording=wording)} == {"proven"}, wording


def test_the_grammar_shares_no_code_with_the_tree() -> None:
    folder = Path(prove_module.__file__).parent
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("clinicnum.templates"):
                assert str(node.module).startswith("clinicnum.templates.proof"), path
