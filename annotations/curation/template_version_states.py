"""The states of a template version: draft, in review, validated, retired; and `unreviewed`, for an imported
bank.

The content of a version changes only while it is a draft. A version that a benchmark may have used
(`unreviewed`, `validated`) is never rewritten: faults are corrected in the next version.
"""

from functools import reduce

from clinicnum.errors import Conflict
from clinicnum.templates.template import Status
from clinicnum.translatable_text import Translatable

NEXT: dict[Status, frozenset[Status]] = {
    "draft": frozenset({"in_review", "retired"}),
    "in_review": frozenset({"draft", "validated", "retired"}),
    "unreviewed": frozenset({"in_review", "retired"}),
    "validated": frozenset({"in_review", "retired"}),
    "retired": frozenset(),
}
"""Allowed next statuses. Back to review: a contest of a gold was upheld; from draft to retired: it was put
aside.
"""
WRITTEN: frozenset[Status] = frozenset({"draft"})
"""Statuses in which a version may still be rewritten."""
SAID: dict[Status, str] = {
    "draft": Translatable("draft"),
    "in_review": Translatable("in review"),
    "unreviewed": Translatable("unreviewed"),
    "validated": Translatable("validated"),
    "retired": Translatable("retired"),
}


def check_step(template: str, was: Status, now: Status) -> None:
    """Raise Conflict, naming what is possible, unless a version may go from one status to the other."""
    if now not in NEXT[was]:
        possible = [SAID[one] for one in sorted(NEXT[was], key=lambda one: SAID[one])]
        raise Conflict(
            Translatable(
                "{template} is {was} and cannot become {now}; from there it goes to {possible}",
                template=template,
                was=SAID[was],
                now=SAID[now],
                possible=reduce(_either, possible) if possible else Translatable("nothing else"),
            )
        )


def _either(one: str, other: str) -> str:
    return Translatable("{one} or {other}", one=one, other=other)
