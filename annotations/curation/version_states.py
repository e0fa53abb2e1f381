"""The states of a template version: draft, in review, validated, retired; and `unreviewed`, for an imported
bank.

The content of a version changes only while it is a draft. A version that a benchmark may have used
(`unreviewed`, `validated`) is never rewritten: faults are corrected in the next version.
"""

from clinicnum.errors import Conflict
from clinicnum.templates.template import Status

NEXT: dict[Status, frozenset[Status]] = {
    "draft": frozenset({"in_review", "retired"}),
    "in_review": frozenset({"draft", "validated", "retired"}),
    "unreviewed": frozenset({"in_review", "retired"}),
    "validated": frozenset({"in_review", "retired"}),
    "retired": frozenset(),
}
"""A validated version goes back to review when a contest of one of its golds is upheld; a draft retires when
it is put aside."""
WRITTEN: frozenset[Status] = frozenset({"draft"})
"""Statuses in which a version may still be rewritten."""
SAID: dict[Status, str] = {
    "draft": "draft",
    "in_review": "in review",
    "unreviewed": "unreviewed",
    "validated": "validated",
    "retired": "retired",
}


def check_step(template: str, was: Status, now: Status) -> None:
    """Raise Conflict, naming what is possible, unless a version may go from one status to the other."""
    if now not in NEXT[was]:
        possible = " or ".join(sorted(SAID[one] for one in NEXT[was])) or "nothing else"
        raise Conflict(
            f"{template} is {SAID[was]} and cannot become {SAID[now]}; from there it goes to {possible}"
        )
