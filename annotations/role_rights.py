"""Who may do what, in one table. Pages hide what a role may not do, and the server refuses it."""

from typing import Literal

from clinicnum.annotations.types import ROLES, Role
from clinicnum.errors import NotAllowed
from clinicnum.translatable_text import Translatable

Right = Literal[
    "see_home",
    "annotate",
    "see_agreement",
    "see_report",
    "adjudicate",
    "curate",
    "review_templates",
    "evaluate",
    "manage_studies",
    "manage_users",
]

RIGHTS: dict[Right, frozenset[Role]] = {
    "see_home": frozenset(ROLES),
    "annotate": frozenset({"annotator"}),
    "see_agreement": frozenset({"adjudicator", "researcher", "admin"}),
    "see_report": frozenset({"adjudicator", "curator", "researcher", "admin"}),
    "adjudicate": frozenset({"adjudicator"}),
    "curate": frozenset({"curator", "admin"}),
    "review_templates": frozenset({"annotator", "adjudicator", "curator"}),
    "evaluate": frozenset({"researcher", "admin"}),
    "manage_studies": frozenset({"researcher", "admin"}),
    "manage_users": frozenset({"admin"}),
}
"""Annotators have no right to see agreement, which would reveal the others' labels. Only they annotate, so
nobody judges an item twice. `evaluate` is making benchmarks, running models and exploring what they answered.
"""


def may(role: Role, right: Right) -> bool:
    """Whether the role has the right."""
    return role in RIGHTS[right]


def require(role: Role, right: Right) -> None:
    """Raise NotAllowed, naming the roles that have the right, unless `role` is one of them."""
    if not may(role, right):
        having = ", ".join(sorted(RIGHTS[right]))
        raise NotAllowed(
            "A {role} may not {right}; that takes the role {having}.",
            role=Translatable(role),
            right=right.replace("_", " "),
            having=having,
        )
