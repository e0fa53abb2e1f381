"""The age of the patient of an imported item, where the right answer does not depend on it.

That is certain only for MedCalc-Bench's calculators whose formula takes measured values alone; scores and
rules are left out, whether they name the age or not. The text must state one age, once, of an adult.
"""

import re

from clinicnum.types import Instance

FORMULAS = frozenset(
    f"medcalc.calculator_{number}"
    for number in (
        *(5, 6, 7, 60, 61),  # mean arterial pressure, body mass index, calcium, body surface, target weight
        *(11, 56, 57, 58, 59),  # QT, corrected
        *(26, 30, 31, 39, 40, 44),  # sodium, osmolality, HOMA-IR, anion gap, excretion of sodium, LDL
        *(63, 64, 65, 66, 67),  # delta gap and ratio, corrected for albumin
        *(24, 49),  # steroids, morphine equivalents
    )
)
"""MedCalc-Bench's calculators, by template, that use neither age nor sex."""
ADULTS = range(18, 100)
NOT_A_FORMULA = "it is not known that its answer rests on no age"
NOT_ONE_AGE = "its text does not state one age of an adult, once"
LIFE = "its text speaks of what goes with an age"

_AGE = re.compile(r"\b(?:(?P<article>[Aa]n?) )?(?P<years>\d{1,3})(?P<rest>(?:-| )years?(?:-| )old)\b")
_ANY_AGE = re.compile(
    r"\b(?:age[ds]?|years? of age|y/?o|yrs?|(?:months?|weeks?|days?)(?:-| )old|in (?:his|her|their) \w+ties"
    r"|years?(?:-| )old)\b",
    re.IGNORECASE,
)
_LIFE = re.compile(
    r"\b(?:pregnan\w*|gestation\w*|gravid\w*|partum|menopaus\w*|child(?:ren|hood)?|infants?|newborn|neonat\w*"
    r"|p(?:a)?ediatric\w*|adolescen\w*|teenage\w*|school|college|student|elderly|geriatric|retire[ds]?|birth)\b",
    re.IGNORECASE,
)
_PLACE = "#"
"""Placeholder for an age, to compare texts."""


def why_age_counts(item: Instance) -> str | None:
    """Why the stated age of an item must stay; None if a change leaves the right answer as it is."""
    if not has_formula(item):
        return NOT_A_FORMULA
    text = f"{item.context}\n{item.question}"
    ages = _AGE.findall(item.context)
    if len(ages) != 1 or int(ages[0][1]) not in ADULTS or len(_ANY_AGE.findall(text)) != 1:
        return NOT_ONE_AGE
    return LIFE if speaks_of_life(text) else None


def has_formula(item: Instance) -> bool:
    """Whether the right answer is known to come from measured values alone."""
    return item.scoring == "medcalc" and item.template_id in FORMULAS


def speaks_of_life(text: str) -> bool:
    """Whether a text mentions things typical of an age, or childbearing."""
    return _LIFE.search(text) is not None


def with_age(text: str, years: int) -> str:
    """The text with its age replaced by `years`, and the article adapted."""
    article = "an" if str(years).startswith("8") or years in (11, 18) else "a"

    def changed(match: re.Match[str]) -> str:
        own = match["article"]
        before = "" if own is None else f"{article.capitalize() if own[0] == 'A' else article} "
        return f"{before}{years}{match['rest']}"

    return _AGE.sub(changed, text, count=1)


def without_age(text: str) -> str:
    """The text with a placeholder for the first age, whatever its article."""
    return _AGE.sub(
        lambda match: f"{'' if match['article'] is None else match['article'][0]}{_PLACE}{match['rest']}",
        text,
        count=1,
    )
