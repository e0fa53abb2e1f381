"""When to choose each judgement of a response and of an item; codes and severities are in the taxonomy.

All examples are invented.
"""

from typing import NamedTuple


class OptionRules(NamedTuple):
    """The rules by which annotators decide whether an option applies."""

    definition: str
    include: str
    """When to choose it."""
    exclude: str
    """When not to choose it, and what to choose instead."""
    examples: tuple[str, ...]


ACCEPTABLE = OptionRules(
    definition="The answer is right, and nothing in the text that leads to it is wrong.",
    include="Value, unit and form are what was asked. A harmless remark or caution with it does not matter.",
    exclude="If the right value rests on a wrong step, choose right answer, unsound reasoning; if it is not "
    "in the form that was asked, choose failure.",
    examples=(
        "Asked for the heart rate at 06:27, recorded as 88, it answers 88 bpm.",
        "It names the right time and adds that a clinician should confirm it.",
    ),
)
UNSOUND = OptionRules(
    definition="The final answer is right, and the text that leads to it has an error.",
    include="You can point at the wrong step; the answer is right by luck or in spite of it.",
    exclude="If no working is shown, choose acceptable; if the answer is wrong as well, choose failure.",
    examples=(
        "Mean arterial pressure at 120/80: it writes 120 - 80 = 30 and then answers 93.3, which is right.",
        "It names the right time of the lowest SpO2, “as it is the last record”, which it is not.",
    ),
)
FAILURE = OptionRules(
    definition="The answer is wrong, is missing, or is not what was asked for.",
    include="Whoever takes the answer as it stands has a wrong value, none, or one in another form than "
    "asked. Then name the first error and the severity.",
    exclude="If the answer is right and only the way to it is wrong, choose right answer, unsound reasoning; "
    "if it cannot be decided, choose cannot judge.",
    examples=(
        "Asked for the heart rate at 06:27, recorded as 88, it answers 104.",
        "It says that nothing is documented, where the value stands in the records.",
    ),
)
CANNOT_JUDGE = OptionRules(
    definition="What is shown does not allow a decision, to you or to another careful reader.",
    include="Something needed to tell right from wrong is absent, or cannot be read.",
    exclude="If you are only unsure, judge, and give a low confidence; if the question is at fault, say so "
    "under the item.",
    examples=(
        "The answer rests on a scoring rule that is not shown and that you do not know.",
        "The context breaks off before the records that the question is about.",
    ),
)
VALID = OptionRules(
    definition="The question has one right answer, and the gold is it.",
    include="You come to the gold from what is shown, rounded as asked.",
    exclude="If you come to one other answer, choose gold answer is wrong; if to several, choose ambiguous.",
    examples=(
        "Asked for the pulse pressure at 120/80, the gold is 40.",
        "The gold is 06:27, and this is the record with the lowest SpO2.",
    ),
)
GOLD_WRONG = OptionRules(
    definition="The question has one right answer, and the gold is another.",
    include="You can say which answer is right, and from where; propose it.",
    exclude="If the gold is only written otherwise than you would, choose valid; if the question can be read "
    "in two ways, choose ambiguous.",
    examples=(
        "The gold is 104, and the heart rate of 06:27, which was asked for, is 88.",
        "The gold of the mean of 12, 16 and 20 is 15.",
    ),
)
AMBIGUOUS = OptionRules(
    definition="The question can be read in more than one way, or has more than one right answer.",
    include="Two careful readers could answer differently, and both be right.",
    exclude="If only the model misread a plain question, choose valid.",
    examples=(
        "It asks when the SpO2 was lowest, and 92 % is recorded at two times.",
        "It asks for the last value, and the records do not stand in the order of time.",
    ),
)
