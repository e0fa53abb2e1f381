"""The variant `input.typo`: typing errors in names of vital signs, in the context and in the question.

One letter of a name is dropped or doubled, or two neighbours change places. Only long names, so that no slip
makes one vital's name another's; never a digit, a time or a unit.
"""

import random
import re
from dataclasses import replace

from clinicnum.variants.variant_draft import NotApplicableError, VariantDraft

NAMES = (
    "systolic blood pressure",
    "diastolic blood pressure",
    "systolic pressure",
    "diastolic pressure",
    "blood pressure",
    "respiratory rate",
    "resp rate",
    "heart rate",
    "oxygen saturation",
    "temperature",
    "pain score",
    "systolic",
    "diastolic",
)
"""Names of vital signs with at least eight letters; longer ones come before those they contain."""
SHARE = 0.3
"""Share of the names in a context that get a typing error."""

_NAME = re.compile(rf"\b(?:{'|'.join(NAMES)})\b", re.IGNORECASE)


def typo(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant with typing errors in at least one name in the context and in one name of the question.

    Raises NotApplicableError if no name is long enough.
    """
    context = with_slips(draft.context, rng, SHARE, _NAME)
    core = with_slips(draft.words.core, rng, 0.0, _NAME)
    if context == draft.context and core == draft.words.core:
        raise NotApplicableError("no name is long enough")
    return replace(draft, context=context, words=replace(draft.words, core=core))


def with_slips(text: str, rng: random.Random, share: float, names_of: re.Pattern[str]) -> str:
    """The text with a typing error in one random name for certain, and in every other with probability
    `share`.

    Names are what `names_of` finds.
    """
    names = list(names_of.finditer(text))
    if not names:
        return text
    sure = rng.randrange(len(names))
    parts, end = [], 0
    for place, name in enumerate(names):
        if place == sure or rng.random() < share:
            parts += [text[end : name.start()], misspelt(name[0], rng)]
            end = name.end()
    return "".join([*parts, text[end:]])


def misspelt(name: str, rng: random.Random) -> str:
    """A name with one random typing error inside one of its words, whose first letter stays."""
    places = [i for i in range(1, len(name)) if name[i - 1].isalpha() and name[i].isalpha()]
    way, place = rng.choice(("swapped", "dropped", "doubled")), rng.choice(places)
    letter, following = name[place], name[place + 1 : place + 2]
    if way == "swapped" and following.isalpha() and following != letter:
        return name[:place] + following + letter + name[place + 2 :]
    if way == "dropped":
        return name[:place] + name[place + 1 :]
    return name[:place] + letter + name[place:]


def slips_of(word: str) -> set[str]:
    """All possible results of `misspelt` for one word."""
    made = set()
    for place in range(1, len(word)):
        letter, following = word[place], word[place + 1 : place + 2]
        made |= {word[:place] + word[place + 1 :], word[:place] + letter + word[place:]}
        if following.isalpha() and following != letter:
            made.add(word[:place] + following + letter + word[place + 2 :])
    return made
