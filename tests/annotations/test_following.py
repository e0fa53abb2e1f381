"""What of a template follows from the rest, so that nobody needs to type it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinicnum.annotations.curation.derived_template_fields import (
    FIELDS,
    derived_fields,
    still_derived,
    with_derived_fields,
)
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.parse_template import content_of, read_content
from clinicnum.templates.template import Template

COUNT: dict[str, Any] = {
    "wording": ["In how many records was the heart rate above 110 bpm?"],
    "tree": {
        "op": "count",
        "where": {
            "left": {"op": "vital", "vital": "heart_rate_bpm"},
            "comparator": "above",
            "right": {"op": "constant", "value": "110"},
        },
    },
    "source": "our own",
}
GAP: dict[str, Any] = {
    "wording": ["How far apart were the systolic and the diastolic pressure at {time}?"],
    "tree": {
        "op": "round",
        "of": {
            "op": "subtract",
            "left": {"op": "vital", "vital": "sbp_mmhg"},
            "right": {"op": "vital", "vital": "dbp_mmhg"},
        },
    },
    "source": "our own",
}


def whole(content: dict[str, Any]) -> Template:
    read = read_content(with_derived_fields(content, derived_fields(content)))
    assert read.faults == ()
    assert read.template is not None
    return read.template


def test_a_count_needs_no_more_than_wording_tree_and_source() -> None:
    made = whole(COUNT)
    assert made.id == "aggregation.heart_rate_above_110_bpm"
    assert (made.operation, made.subtype, made.steps) == ("aggregation", "count", 1)
    assert (made.answer_type, made.decimals, made.unit, made.slots) == ("count", 0, None, {})


def test_a_name_in_braces_becomes_a_slot_at_which_values_are_read_and_the_unit_is_the_trees() -> None:
    made = whole(GAP)
    assert made.id == "arithmetic.far_apart_systolic_diastolic_pressure"
    assert (made.operation, made.subtype, made.steps) == ("arithmetic", "one_step", 1)
    assert (made.answer_type, made.decimals, made.unit) == ("number", 0, "mmHg")
    assert made.record_slots == ("time",)


def test_what_somebody_typed_stands() -> None:
    typed = {**GAP, "unit": "mm Hg", "decimals": 2, "id": "mine.own", "slots": {"time": {"kind": "choice"}}}
    assert {one.path[0] for one in derived_fields(typed)}.isdisjoint({"unit", "decimals", "id", "slots"})


def test_only_what_would_follow_anyway_is_called_followed() -> None:
    content = with_derived_fields(GAP, derived_fields(GAP)) | {"decimals": 3}
    assert {one.path[0] for one in still_derived(content)} == set(FIELDS) - {"decimals"}


@pytest.mark.parametrize(
    ("field", "least"), [("answer_type", 117), ("operation", 110), ("decimals", 90), ("unit", 80)]
)
def test_it_agrees_with_what_people_wrote_into_most_of_the_packaged_bank(field: str, least: int) -> None:
    agreed = 0
    for template in named_bank("all"):
        content = content_of(template)
        bare = {name: value for name, value in content.items() if name not in FIELDS}
        agreed += with_derived_fields(bare, derived_fields(bare)).get(field) == content.get(field)
    assert agreed >= least


NAMES = st.sampled_from(["op", "of", "at", "take", "how", "left", "where", "kind", "vital"]) | st.text(
    max_size=5
)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.just("{time}"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


@given(
    st.dictionaries(
        st.sampled_from(["wording", "tree", "slots", "givens", "mistakes", "requires", "id"]), ANY
    )
)
def test_whatever_stands_in_a_draft_what_follows_is_found_or_not_and_nothing_breaks(
    content: dict[str, Any],
) -> None:
    found = derived_fields(content)
    assert derived_fields(with_derived_fields(content, found)) == ()
    still_derived(content)
