"""What is said of two answers to one question side by side, in a pairwise study (`docs/pairwise.md`)."""

from typing import Literal, get_args

from clinicnum.annotations.field_definition import FieldDefinition, Option
from clinicnum.translatable import Translatable

Preference = Literal["first_better", "second_better", "both_alike", "both_bad"]
PREFERENCES: tuple[Preference, ...] = get_args(Preference)
Side = Literal["first", "second"]
"""One of the two answers of a pair; which of them stands on the left is drawn anew for each annotator."""
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
"""The one question of a pairwise study; labels are those where the first answer stands on the left."""
NAMED = (
    Option("first_better", Translatable("The first answer is better")),
    Option("second_better", Translatable("The second answer is better")),
    *PREFERENCE.options[2:],
)
"""The same for readers who do not see the answers on an annotator's sides."""
_TURNED = {"first_better": "second_better", "second_better": "first_better"}


def seen_from(side: Side | None, preference: str) -> str:
    """The preference as it reads with that answer on the left, where `first_better` is the left one; None:
    the first. Anything else stays as it is.
    """
    return _TURNED.get(preference, preference) if side == "second" else preference
