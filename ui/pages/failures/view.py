"""Failures, clusters of them and upheld contests, as plain dicts of text. No Gradio, no database."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from clinicnum.annotations.curation.clusters import Cluster
from clinicnum.annotations.curation.labelled_failure import BASES, DraftLink, Failure, UpheldContest

EXAMPLES = 3
"""Of a cluster: those nearest to its centre."""
PAGE = 20
LONGEST = 1_500
"""Characters of an answer that are shown."""
KINDS = {"gold_wrong": "the gold is wrong", "ambiguous": "the question is ambiguous"}
Made = Mapping[tuple[str, str], Sequence[DraftLink]]
Name = Callable[[str], str]
"""Of a taxonomy code."""


def paged(found: int, page: int) -> tuple[slice, dict[str, Any]]:
    """The slice of a page, the last one if there are fewer, and what to say of it."""
    pages = max(1, -(-found // PAGE))
    at = min(page, pages)
    first = (at - 1) * PAGE
    last = min(first + PAGE, found)
    place = f"{first + 1} to {last} of {found}" if found else "none"
    return slice(first, last), {"page": at, "pages": pages, "place": place}


def cluster_view(one: Cluster, made: Made, name: Name) -> dict[str, Any]:
    """A cluster with its most typical failures."""
    templates = Counter(member.template_id for member in one.members)
    studies = sorted({member.study for member in one.members})
    return {
        "id": one.cluster_id,
        "title": f"{name(one.code)}, in {one.operation}",
        "code": one.code,
        "size": len(one.members),
        "words": ", ".join(one.words),
        "templates": [[template, n] for template, n in templates.most_common(6)],
        "more_templates": max(0, len(templates) - 6),
        "about": f"Studies: {', '.join(studies)}." + _simulated(one.members),
        "drafts": _drafts(made, one.members),
        "examples": [failure_view(member, made, name) for member in _typical(one.members)],
    }


def _typical(members: Sequence[Failure]) -> list[Failure]:
    """The first ones; the same text on the same template is shown once."""
    unlike: dict[tuple[str, str], Failure] = {}
    for one in members:
        unlike.setdefault((one.template_id, one.text), one)
    return list(unlike.values())[:EXAMPLES]


def _simulated(members: Sequence[Failure]) -> str:
    n = sum(one.simulated for one in members)
    return f" {n} of the labels rest on scripted annotators." if n else ""


def failure_view(one: Failure, made: Made, name: Name) -> dict[str, Any]:
    """One wrong answer."""
    return {
        "key": one.key,
        "item": one.item,
        "cause": name(one.code),
        "code": one.code,
        "basis": BASES[one.basis] + (", some by scripted annotators" if one.simulated else ""),
        "template": one.template_id,
        "version": one.version,
        "operation": one.operation,
        "study": one.study,
        "question": one.question,
        "facts": [
            ["Right answer", one.gold],
            ["Read in the answer", one.parsed or "nothing"],
            ["Model", one.model],
        ],
        "text": one.text[:LONGEST] + (" …" if len(one.text) > LONGEST else ""),
        "drafts": _drafts(made, [one]),
    }


def contest_view(one: UpheldContest, made: Made) -> dict[str, Any]:
    """An upheld contest; no answer of any model belongs to it."""
    proposed = [["Proposed", one.proposed]] if one.proposed else []
    return {
        "id": one.contest,
        "template": one.template_id,
        "version": one.version,
        "title": KINDS[one.kind],
        "study": one.study,
        "question": one.question,
        "facts": [
            ["Gold then", one.gold],
            *proposed,
            ["The adjudicator", one.comment or "left no comment"],
            ["Taken out", f"{one.taken_out} instance{'' if one.taken_out == 1 else 's'}"],
        ],
        "drafts": [_link(link) for link in made.get((one.study_id, one.generation), ())],
    }


def _drafts(made: Made, of: Sequence[Failure]) -> list[dict[str, str]]:
    found = dict.fromkeys(link for one in of for link in made.get((one.study_id, one.generation), ()))
    return [_link(link) for link in found]


def _link(link: DraftLink) -> dict[str, str]:
    return {"id": link.draft_id, "text": f"{link.template_id or 'Draft without an id'}, {link.status}"}


def choices_view(failures: Sequence[Failure], name: Name) -> dict[str, list[list[str]]]:
    """What there is to filter by, the commonest first, as (value, label)."""
    operations = Counter(one.operation for one in failures)
    codes = Counter(one.code for one in failures)
    return {
        "operation": [["", "all"], *([one, f"{one} ({n})"] for one, n in operations.most_common())],
        "code": [["", "all"], *([one, f"{name(one)} ({n})"] for one, n in codes.most_common())],
    }
