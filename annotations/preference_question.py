"""Which of two answers to a question is better, asked in a pairwise study (`docs/pairwise.md`)."""

from typing import Literal, get_args

from clinicnum.annotations.judgement_field_definition import FieldDefinition, Option
from clinicnum.translatable_text import Translatable

Preference = Literal["first_better", "second_better", "both_alike", "both_bad"]
PREFERENCES: tuple[Preference, ...] = get_args(Preference)
Side = Literal["first", "second"]
"""One of the two answers of a pair; which one is on the left is drawn for each annotator."""
PREFERENCE = FieldDefinition(
    label=Translatable("Which answer is better?"),
    meaning="Which of two answers is better",
    options=(
        Option("first_better", Translatable("The left one"), "1"),
        Option("second_better", Translatable("The right one"), "2"),
        Option("both_alike", Translatable("Both alike, and usable"), "3"),
        Option("both_bad", Translatable("Both bad"), "4"),
    ),
    required=Translatable("Say which answer is better, or that both are alike or bad."),
)
"""The one question of a pairwise study; its labels assume the first answer is on the left."""
NAMED = (
    Option("first_better", Translatable("The first answer is better")),
    Option("second_better", Translatable("The second answer is better")),
    *PREFERENCE.options[2:],
)
"""The options for readers who do not see the sides that an annotator saw."""
_TURNED = {"first_better": "second_better", "second_better": "first_better"}


def seen_from(side: Side | None, preference: str) -> str:
    """The preference turned from first and second answer to left and right: `first_better` then means the
    left one is better. `side` is the answer on the left; None: the first. Ties stay as they are.
    """
    return _TURNED.get(preference, preference) if side == "second" else preference
