"""Score multiple choice: the letter of the right option, in any form.

Right (`lenient`) is the right option, named by its letter or its text (`clinicnum.parsing.chosen_option`).
`strict` wants the asked form: a JSON object whose `answer` is the capital letter and nothing else. The gold
is a letter in imported items; in our own it is the option's text, as a letter only gives its position.

Not accepted: several letters, the letter of no option, a letter beside the text of another option. Declining
is `abstained`, unless it is an option that is chosen.
"""

from clinicnum.parsing import Found, Reading
from clinicnum.prompt import option_letter
from clinicnum.scoring.shared_scoring_steps import Verdict, judged, read_as
from clinicnum.types import Generation, Instance, Score

MOST_OPTIONS = 26


def fault(instance: Instance) -> str | None:
    """What is wrong with the gold of a multiple choice item; None if nothing is."""
    if not 2 <= len(instance.options) <= MOST_OPTIONS:
        return f"options are {len(instance.options)}; expected 2 to {MOST_OPTIONS}; correct them"
    if right_letter(instance) is None:
        return (
            f"answer is {instance.answer!r}; expected the letter of an option, or the text of exactly one; "
            "correct it"
        )
    return None


def right_place(instance: Instance) -> int | None:
    """The index of the right option; None if the gold does not name exactly one option."""
    if instance.answer is None:
        return None
    letters = [option_letter(place) for place in range(len(instance.options))]
    by_text = [place for place, text in enumerate(instance.options) if text == instance.answer]
    named = letters.index(instance.answer) if instance.answer in letters else None
    if named is not None and (instance.operation == "external" or not by_text):
        return named
    return by_text[0] if len(by_text) == 1 else None


def right_letter(instance: Instance) -> str | None:
    """The letter of the right option; None if the gold does not name exactly one option."""
    place = right_place(instance)
    return None if place is None else option_letter(place)


def right_option(instance: Instance) -> str | None:
    """The text of the right option; None if the gold does not name exactly one option."""
    place = right_place(instance)
    return None if place is None else instance.options[place]


def read(instance: Instance, text: str, cut_off: bool) -> Reading:
    """The letter read from a text, which may be `cut_off`."""
    return read_as("choice", instance, text, cut_off)


def judge(instance: Instance, generation: Generation) -> Score:
    """The score of a generation."""
    right = right_letter(instance)

    def compare(found: Found) -> Verdict:
        same = found.written == right
        reason = f"{found.written} is the right option" if same else f"{found.written} is not {right}"
        return Verdict(same, reason, found.plain)

    return judged("choice", instance, generation, compare)
