"""Variants that a curator wrote and experts reviewed: no program makes them, so `lint` can only hold them to
what their kind promises.

reviewed.paraphrase        Other words: the same numbers, options and gold.
reviewed.counterfactual    One fact changed: the same options and another gold.
"""

from typing import Literal

from clinicnum.variants.imported.reading_back import ReadBack

REVIEWED: dict[str, Literal["same", "follows"]] = {
    "reviewed.paraphrase": "same",
    "reviewed.counterfactual": "follows",
}
"""Name of the kind -> what the right answer does, compared with that of the base."""


def reviewed_difference(base: ReadBack, variant: ReadBack, kind: str) -> str | None:
    """The rule that a reviewed variant breaks; None if it keeps what its kind promises."""
    if base.text == variant.text:
        return "variant.text_same"
    if base.options != variant.options:
        return "options.changed"
    same_gold = (base.gold, base.rest) == (variant.gold, variant.rest)
    if REVIEWED[kind] == "follows":
        return "variant.answer_not_moved" if same_gold else None
    if base.numbers != variant.numbers:
        return "variant.numbers"
    return None if same_gold else "variant.answer_not_same"
