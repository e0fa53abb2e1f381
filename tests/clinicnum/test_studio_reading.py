"""Any content is read without a traceback; YAML of a template is what it was; hostile YAML is one line."""

import copy
import gc
import json
import random
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clinicnum.authoring.template_trial import preview
from clinicnum.errors import InputError
from clinicnum.templates.checks.size_limits import MAX_NODES
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.parse_template import content_of, content_of_yaml, read_content, yaml_of
from clinicnum.templates.template import Template
from tests.clinicnum.faulty import FAULTS
from tests.clinicnum.sound_templates import SOUND, binary, compare, constant, one_if, rounded, vital

BANK = named_bank("all")


@pytest.mark.parametrize("template", BANK, ids=[template.id for template in BANK])
def test_a_packaged_template_survives_yaml_exactly(template: Template) -> None:
    content = content_of(template)
    text = yaml_of(content)
    assert text.startswith(f"- id: {template.id}\n")
    assert content_of_yaml(text) == content
    assert read_content(content).template == template


def test_a_whole_dump_survives_yaml() -> None:
    template = next(one for one in BANK if one.id == "arithmetic.news2")
    dumped = template.model_dump(mode="json")
    assert read_content(content_of_yaml(yaml_of(dumped))).template == template


TEXTS = ["yes", "no", "1e5", "12", "0x1F", "~", "null", "", " a", "a ", "a: b", "# c", "é", "\t", "\u2028"]
TEXTS += [
    "2150-01-01 08:00:00",
    "10:30",
    "<<",
    "=",
    "{a}",
    "[b",
    "- c",
    "a\nb",
    "\\",
    '"',
    "😀",
    "\x00",
    "on b",
]
TEXTS += ["\x7f", "id", "wording", "tree"]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(TEXTS)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=12,
)


def without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_none(inner) for key, inner in value.items() if inner is not None}
    return [without_none(inner) for inner in value] if isinstance(value, list) else value


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(TEXTS), VALUES, max_size=5))
def test_yaml_gives_back_what_it_was_given(content: dict[str, Any]) -> None:
    """But for what is None, which is left out of a mapping."""
    assert content_of_yaml(yaml_of(content)) == without_none(content)


KEYS = [
    "tree",
    "of",
    "op",
    "where",
    "left",
    "right",
    "slots",
    "wording",
    "not",
    "all",
    "kind",
    "requires",
    "n",
]
WORDS = ["round", "vital", "count", "each", "time", "sbp_mmhg", "{time}", "{", "1e999999", "-1", "number"]
SHAPES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(WORDS) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(SOUND)), st.sampled_from([*KEYS, "id", "decimals", "unit", "givens"]), SHAPES)
def test_any_content_is_read(name: str, key: str, shape: Any) -> None:
    reading = read_content({**SOUND[name], key: shape})
    assert reading.template is not None or reading.faults
    assert all("\n" not in fault.message for fault in reading.faults)


@pytest.mark.parametrize("content", [[], "text", None, 3, {1: 2}, {"id": {}}], ids=repr)
def test_what_is_no_template_at_all_is_said(content: Any) -> None:
    reading = read_content(content)
    assert reading.template is None
    assert reading.faults


def test_a_mutated_template_is_read_or_refused_with_a_path() -> None:
    """Every value of every planted template is replaced once by something else."""
    rng = random.Random(0)
    for planted in FAULTS.values():
        content = copy.deepcopy(planted.content)
        node: Any = content
        while isinstance(node, dict | list) and node:
            key = rng.choice(list(node)) if isinstance(node, dict) else rng.randrange(len(node))
            if rng.random() < 0.3 or not isinstance(node[key], dict | list):
                node[key] = rng.choice([None, [], {}, "x", -1, 10**30, float("nan")])
                break
            node = node[key]
        reading = read_content(content)
        assert reading.template is not None or reading.faults


def nested(depth: int) -> dict[str, Any]:
    tree = vital("sbp_mmhg", "time")
    for _ in range(depth):
        tree = {"op": "absolute", "of": tree}
    return tree


def within(depth: int) -> dict[str, Any]:
    """Operations over all records inside each other, each with a record of its own to look at."""
    inner = vital("sbp_mmhg")
    for _ in range(depth):
        inner = binary("add", vital("sbp_mmhg"), {"op": "over", "how": "sum", "of": inner, "take": "all"})
    return {"op": "over", "how": "sum", "of": inner, "take": "all"}


def wide(parts: int) -> dict[str, Any]:
    return {"op": "sum", "of": [vital("sbp_mmhg", "time") for _ in range(parts)]}


CYCLE: dict[str, Any] = {"op": "round"}
CYCLE["of"] = CYCLE
SLOTS = {f"at_{i}": {"kind": "record"} for i in range(9)}
HOSTILE: dict[str, dict[str, Any]] = {
    "a deep tree": {"tree": rounded(nested(5_000))},
    "a tree just too deep": {"tree": rounded(nested(60))},
    "a tree inside itself": {"tree": CYCLE},
    "a wide tree": {"tree": rounded(wide(MAX_NODES + 5))},
    "a million values": {"tags": ["x"] * 1_000_000},
    "record by record by record": {"tree": rounded(within(6))},
    "thousands of wordings": {"wording": ["What was it at {time}?"] * 3_000},
    "a wording of a million letters": {"wording": ["x" * 1_000_000 + "{time}"]},
    "a wording that pads": {"wording": ["What was it at {time:>1000000000}?"]},
    "a wording that looks inside": {"wording": ["What was it at {time.__class__}?"]},
    "a huge exponent": {"tree": rounded(binary("add", vital("sbp_mmhg", "time"), constant("1e999999999")))},
    "a tiny exponent": {"tree": rounded(binary("add", vital("sbp_mmhg", "time"), constant("1e-999999")))},
    "a huge integer": {"steps": 10**4000},
    "not a number": {"tree": rounded({"op": "constant", "value": float("nan")})},
    "a range beyond all bounds": {
        "givens": {"x": {"kind": "number", "label": "x", "low": "0", "high": "1e300", "decimals": 3}}
    },
    "nine record slots": {
        "slots": SLOTS,
        "wording": [" ".join(f"{{{name}}}" for name in SLOTS)],
        "tree": rounded({"op": "sum", "of": [vital("sbp_mmhg", name) for name in SLOTS]}),
    },
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_template_is_refused_at_once(name: str) -> None:
    content = {**SOUND["value"], **HOSTILE[name]}
    gc.collect()  # or what earlier tests have left is collected while the clock runs
    begun = time.process_time()
    reading = read_content(content)
    assert time.process_time() - begun < 2
    assert reading.template is None
    assert reading.faults
    assert len(json.dumps([fault.model_dump() for fault in reading.faults])) < 20_000


def test_the_largest_tree_that_is_taken_is_previewed_in_seconds() -> None:
    limits = [str(40 + i) for i in range(MAX_NODES // 4 - 1)]
    conditions = [one_if(compare(vital("sbp_mmhg", "time"), "above", limit)) for limit in limits]
    content = {**SOUND["value"], "tree": rounded({"op": "sum", "of": conditions}), "unit": "points"}
    reading = read_content(content)
    assert reading.template is not None
    begun = time.process_time()
    assert preview(reading.template).examples
    assert time.process_time() - begun < 5


LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]\n" for i in range(20)
)
YAML = {
    "aliases": (LAUGHS, "line 1: anchors and aliases are not taken"),
    "a tag": ("id: !!python/object/apply:os.system [ls]\n", "line 1: tags are not taken"),
    "a tag of one's own": ("id: x\nsource: !mine y\n", "line 2: tags are not taken, got !mine"),
    "a merge": ("id: x\n<<: {a: 1}\n", "line 2: merges are not taken"),
    "deep lists": ("[" * 5_000, "nested more than"),
    "deep mappings": ("{a: " * 500 + "1" + "}" * 500, "nested more than"),
    "too long": ("id: " + "x" * 200_000, "has 200004 characters"),
    "nothing": ("", "is empty"),
    "a comment": ("# nothing\n", "is empty"),
    "a word": ("hello\n", "expected a template"),
    "two templates": ("- id: a\n- id: b\n", "got a list of 2"),
    "two documents": ("id: a\n---\nid: b\n", "line 2: a second document"),
    "a key twice": ("id: a\nid: b\n", "line 2: key 'id' stands twice"),
    "a key that is a number": ("id: a\n1: b\n", "the key 1 is no text"),
    "a key that is yes": ("points: {yes: 1}\n", "in points: the key True is no text"),
    "a key that is a list": ("? [a]\n: b\n", "line 1: not plain YAML"),
    "an open bracket": ("id: [a\n", "not plain YAML"),
    "a tab": ("id:\n\t- a\n", "line 2: not plain YAML"),
    "a number of 5000 digits": ("steps: " + "9" * 5_000, "line 1: not plain YAML: no number"),
    "no number": ("steps: .nan\n", "line 1: not plain YAML: no finite number"),
    "no end": ("steps: -.inf\n", "no finite number"),
    "a control character": ("id: \x00\n", "not YAML text"),
}


@pytest.mark.parametrize(("text", "message"), YAML.values(), ids=YAML.keys())
def test_hostile_yaml_is_one_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        content_of_yaml(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_template_may_stand_alone_or_in_a_list_of_one() -> None:
    text = yaml_of(SOUND["mean"])
    alone = "\n".join(line[2:] for line in text.splitlines())
    assert content_of_yaml(text) == content_of_yaml(alone) == SOUND["mean"]
