"""Describe in sentences how a template's answer is computed: from the tree alone, without records or gold."""

from clinicnum.templates.template import DECIMAL_WORDS, Template
from clinicnum.templates.tree import RoundNode, TimeOfExtremeNode
from clinicnum.templates.verbalize_tree import said


def answer_in_words(template: Template) -> tuple[str, ...]:
    """What is computed, how it is rounded or compared, and under which conditions the question is asked."""
    root = template.tree
    if isinstance(root, RoundNode):
        sentences = [f"The answer is: {said(root.of, template)}.", _digits(template)]
    else:
        sentences = [
            f"The answer is: {said(root, template)}.",
            "Values are compared as recorded, without rounding.",
        ]
    if isinstance(root, TimeOfExtremeNode):
        sentences.append("Where two records share that value, the question is not asked.")
    sentences += [f"It is asked only where this holds: {said(one, template)}." for one in template.requires]
    return tuple(sentences)


def _digits(template: Template) -> str:
    unit = f", in {template.unit}" if template.unit else ""
    digits = "a whole number"
    if template.decimals:
        digits = f"{DECIMAL_WORDS[template.decimals]} decimal{'' if template.decimals == 1 else 's'}"
    return f"It is rounded half up to {digits}{unit}, at the end only."
