"""How an answer is made, in sentences, for every template that comes with the program."""

import pytest

from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.template import Template
from clinicnum.templates.tree import ConstantNode
from clinicnum.templates.tree_walk import nodes
from clinicnum.templates.verbalize_template import answer_in_words

BANK = {one.id: one for one in named_bank("all")}


@pytest.mark.parametrize(
    ("template", "sentences"),
    [
        (
            "arithmetic.pulse_pressure",
            (
                "The answer is: systolic pressure at {time} - diastolic pressure at {time}.",
                "It is rounded half up to a whole number, in mmHg, at the end only.",
            ),
        ),
        (
            "aggregation.tachycardia",
            (
                "The answer is: number of records with heart rate above 100.",
                "Values are compared as recorded, without rounding.",
            ),
        ),
    ],
)
def test_a_template_says_how_its_answer_is_made(template: str, sentences: tuple[str, ...]) -> None:
    assert answer_in_words(BANK[template]) == sentences


@pytest.mark.parametrize("template", BANK.values(), ids=lambda one: one.id)
def test_every_threshold_and_every_condition_is_told(template: Template) -> None:
    said = answer_in_words(template)
    constants = [node.value for node in nodes(template.tree) if isinstance(node, ConstantNode)]
    assert all(f"{value:f}" in said[0] for value in constants)
    assert sum(one.startswith("It is asked only where") for one in said) == len(template.requires)
