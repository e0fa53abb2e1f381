"""Tell a remark that another value is missing ("pain was not documented") from an abstention.

What a clause or a question is about is recognised by the names in `_THINGS`; a clause without any of them is
taken to be about the answer.
"""

import re
from functools import lru_cache
from itertools import pairwise

from clinicnum.parsing.abstention import abstains

_THINGS: tuple[tuple[str, str], ...] = (
    ("hr", r"heart rates?|hr|pulse(?! pressure)(?! ox)|shock index|shock indices"),
    ("sbp", r"systolic|sbp|blood pressures?|bp|mean arterial|map|pulse pressures?|shock index|shock indices"),
    ("dbp", r"diastolic|dbp|blood pressures?|bp|mean arterial|map|pulse pressures?"),
    ("rr", r"respiratory rates?|respirations?|rr|breathing|breaths"),
    ("spo2", r"spo2|sao2|o(?<!supplemental o)xygen(?! flow)|saturations?|pulse ox\w*"),
    ("temperature", r"temperatures?|temp|fever"),
    ("pain", r"pain"),
    ("supplemental", r"supplemental oxygen|oxygen flow|fio2|room air|air or oxygen"),
    (
        "consciousness",
        r"consciousness|avpu|alert\w*|mental(?: status)?|mentation|gcs|glasgow(?: coma)?|confusion",
    ),
    ("build", r"weights?|heights?|bmi|body mass|body surface"),
    ("white_cells", r"white (?:blood )?cells?|wbcs?|leu[ck]ocytes?|neutrophils?"),
    ("carbon_dioxide", r"carbon dioxide|paco2|pco2|co2"),
    (
        "laboratory",
        r"lactates?|glucose|creatinine|h(?:a)?emoglobin|sodium|potassium|bilirubin|platelets?|urea|bun|ph",
    ),
    ("dose", r"doses?|dosage|infusions?|concentrations?|drugs?|medications?|antibiotics?"),
    ("urine", r"urine|urinary"),
    ("age", r"age"),
    ("sex", r"gender|sex"),
    ("history", r"history|diagnos[ei]s|allergy|allergies|symptoms?|complaints?"),
    ("other", r"rhythm|ecg|capillary refill|skin|pupils?|x-?rays?"),
)
_NAMED = tuple((thing, re.compile(names, re.IGNORECASE)) for thing, names in _THINGS)
_NAMES = [rf"{name[0]}(?<!\w{name[0]}){name[1:]}" for _, names in _THINGS for name in names.split("|")]
_NAME = re.compile(rf"(?:{'|'.join(_NAMES)})\b")
"""Matches lower-case text. The word boundary is tested after a name's first letter, which is much faster."""
_CLAUSE = re.compile(r"[.!?;,](?=\s|$)|[()\n]|\b(?:and|but|while|whereas|although|though)\b", re.IGNORECASE)


def without_remarks(text: str, *, asked: str) -> str:
    """`text` without clauses that call something missing that the question `asked` is not about."""
    return "".join(" " if _is_remark(clause, asked) else clause for clause in _clauses(text))


def before_remark(text: str, *, asked: str) -> str:
    """`text` up to the first abstaining clause; empty if that clause is about what is asked."""
    read = ""
    for clause in _clauses(text):
        if abstains(clause):
            return "" if _things(clause) & _asked_things(asked) else read
        read += clause
    return read


def _clauses(text: str) -> list[str]:
    """Split a text into clauses, each beginning with its separator; joined, they are the text."""
    cuts = [0, *(match.start() for match in _CLAUSE.finditer(text)), len(text)]
    return [text[start:end] for start, end in pairwise(cuts)]


def _is_remark(clause: str, asked: str) -> bool:
    """Whether the clause abstains, but only on quantities that the question is not about."""
    named = _things(clause) if abstains(clause) else frozenset()
    things = _asked_things(asked) if named else named
    return bool(things) and named.isdisjoint(things)


def _things(text: str) -> frozenset[str]:
    return frozenset([thing for match in _NAME.finditer(text.lower()) for thing in _called(match[0])])


_asked_things = lru_cache(maxsize=1000)(_things)


@lru_cache(maxsize=1000)
def _called(name: str) -> frozenset[str]:
    """The keys of `_THINGS` that a name refers to: "blood pressure" is both `sbp` and `dbp`."""
    return frozenset(thing for thing, names in _NAMED if names.fullmatch(name))
