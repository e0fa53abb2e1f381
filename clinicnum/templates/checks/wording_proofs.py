"""Compare each wording with the rule: a contradiction is a fault, an unproven wording a note."""

from collections.abc import Iterable, Iterator
from typing import Any

from clinicnum.templates.fault_messages import Fault
from clinicnum.templates.proof.prove import prove
from clinicnum.templates.template import Template
from clinicnum.translatable_text import Translatable

CONTRADICTS = "wording_contradicts"
"""The rule named by a fault for a contradiction."""


def contradictions(template: Template) -> Iterator[Fault]:
    """Yield wordings that ask something other than the rule computes."""
    for proof in prove(_content(template)):
        if proof.status == "contradicted":
            message = Translatable("{why}; make wording and rule agree", why=proof.message)
            yield Fault(rule=CONTRADICTS, path=("wording", proof.wording), message=message)


def not_proven(template: Template) -> Iterator[Fault]:
    """Yield wordings that are not proven to ask what the rule computes."""
    for proof in prove(_content(template)):
        if proof.status == "not_proven":
            message = Translatable(
                "{why}; word it like a packaged template, or have experts review it", why=proof.message
            )
            yield Fault(rule="not_proven", path=("wording", proof.wording), message=message)


def unproven_ids(templates: Iterable[Template]) -> list[str]:
    """Ids of templates with an unproven wording."""
    return sorted(t.id for t in templates if any(proof.status != "proven" for proof in prove(_content(t))))


def _content(template: Template) -> dict[str, Any]:
    return template.model_dump(mode="json", include={"wording", "givens", "tree", "requires"})
