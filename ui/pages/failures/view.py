"""Failures, clusters of failures and upheld contests as rows of text. No Gradio, no database."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from clinicnum.annotations.curation.clusters import Cluster
from clinicnum.annotations.curation.labelled_failure import BASES, DraftLink, Failure, UpheldContest

Kind = Literal["clusters", "contests", "failures"]
KINDS: dict[Kind, str] = {
    "clusters": "Similar failures",
    "contests": "Upheld contests",
    "failures": "Individual failures",
}
COLUMNS: dict[Kind, tuple[str, ...]] = {
    "clusters": (
        "Cause",
        "Operation",
        "Failures",
        "Distinctive words",
        "Templates",
        "Studies",
        "Drafts",
        "ID",
    ),
    "contests": ("Decision", "Template", "Version", "Question", "Study", "Drafts", "ID"),
    "failures": ("Cause", "Operation", "Template", "Version", "Model", "Question", "Study", "Drafts", "ID"),
}
"""Column headings of each kind of list; the last column, ID, identifies the row."""
FACTS = ("Field", "Value")
EXAMPLE = ("Question", "Gold", "Parsed answer", "Model", "Template", "Study", "Cause decided by")
EXAMPLE_WIDTHS: list[str | int] = ["340px", "90px", "130px", "140px", "220px", "130px", "200px"]
ABOUT = (
    "Labelled failures of closed studies, and contests that an adjudicator upheld. "
    "A draft begun from one of them records where it came from."
)
EXAMPLES = 3
"""Examples shown of a cluster: those nearest to its centre."""
PAGE = 20
LONGEST = 1_500
"""Most characters shown of an answer."""
CONTESTS = {"gold_wrong": "the gold is wrong", "ambiguous": "the question is ambiguous"}
NO_STUDY = (
    "No study with labelled failures is closed yet. Labels are shown once a study is closed, "
    "so that nobody is influenced by them."
)
NO_MATCH = "No failure matches these filters."
NO_CONTEST = "No contest has been upheld here yet."
DraftsMade = Mapping[tuple[str, str], Sequence[DraftLink]]
Name = Callable[[str], str]
"""Returns the display name of a taxonomy code."""
Choices = list[tuple[str, str]]
Rows = list[list[str]]


@dataclass(frozen=True)
class Details:
    """The details shown for one cluster, contest or failure."""

    title: str
    facts: Rows
    """Rows of FACTS."""
    examples: Rows
    """Rows of EXAMPLE."""
    answers: tuple[tuple[str, str], ...]
    """(label, text) for each of the examples."""
    versions: tuple[tuple[str, int], ...]
    """Template versions that it concerns, as (id, version)."""
    drafts: tuple[DraftLink, ...]


def paged(found: int, page: int) -> tuple[slice, int, int]:
    """The slice of rows on a page (the last one if `page` is too high), its number, the number of pages."""
    pages = max(1, -(-found // PAGE))
    at = min(page, pages)
    return slice((at - 1) * PAGE, at * PAGE), at, pages


def page_label(kind: Kind, found: int, at: int) -> str:
    """The heading of a page of the list, such as `Similar failures: 21 to 40 of 57`."""
    first = (at - 1) * PAGE
    return f"{KINDS[kind]}: {first + 1} to {min(first + PAGE, found)} of {found}" if found else KINDS[kind]


def cluster_row(one: Cluster, made: DraftsMade, name: Name) -> list[str]:
    """A row of COLUMNS."""
    return [
        name(one.code),
        one.operation,
        str(len(one.members)),
        ", ".join(one.words),
        _templates(one),
        ", ".join(sorted({member.study for member in one.members})),
        str(len(drafts_of(made, one.members))),
        one.cluster_id,
    ]


def failure_row(one: Failure, made: DraftsMade, name: Name) -> list[str]:
    """A row of COLUMNS."""
    version = [one.template_id, str(one.version), one.model, one.question, one.study]
    return [name(one.code), one.operation, *version, str(len(drafts_of(made, [one]))), one.key]


def contest_row(one: UpheldContest, made: DraftsMade) -> list[str]:
    """A row of COLUMNS."""
    about = [one.template_id, str(one.version), one.question, one.study]
    return [CONTESTS[one.kind], *about, str(len(made.get((one.study_id, one.generation), ()))), one.contest]


def label_of(row: Sequence[str]) -> str:
    """The label of a row of COLUMNS in the dropdown."""
    return ", ".join(row[:3])


def cluster_details(one: Cluster, made: DraftsMade, name: Name) -> Details:
    """Details of a cluster, with its most typical failures."""
    typical = _typical(one.members)
    facts = [
        ["Cause", f"{name(one.code)} ({one.code})"],
        ["Failures", str(len(one.members)) + _simulated(one.members)],
        ["Distinctive words", ", ".join(one.words) or "none"],
        ["Templates", _templates(one, most=20)],
    ]
    count = f"{len(one.members)} failure{'' if len(one.members) == 1 else 's'}"
    return Details(
        title=f"{count}: {name(one.code)}, in {one.operation}",
        facts=facts,
        examples=[_example(member) for member in typical],
        answers=tuple(map(_answer, typical)),
        versions=_versions(typical),
        drafts=drafts_of(made, one.members),
    )


def failure_details(one: Failure, made: DraftsMade, name: Name) -> Details:
    """Details of one failure, that is, one wrong answer."""
    return Details(
        title=f"{name(one.code)}, in {one.template_id}",
        facts=[["Cause", f"{name(one.code)} ({one.code})"], ["Operation", one.operation]],
        examples=[_example(one)],
        answers=(_answer(one),),
        versions=_versions([one]),
        drafts=drafts_of(made, [one]),
    )


def contest_details(one: UpheldContest, made: DraftsMade) -> Details:
    """Details of an upheld contest; it has no model answers."""
    return Details(
        title=f"Upheld: {CONTESTS[one.kind]}",
        facts=[
            ["Question", one.question],
            ["Gold at that time", one.gold],
            *([["Proposed gold", one.proposed]] if one.proposed else []),
            ["Adjudicator's comment", one.comment or "none"],
            ["Removed", f"{one.taken_out} instance{'' if one.taken_out == 1 else 's'}"],
            ["Study", one.study],
        ],
        examples=[],
        answers=(),
        versions=((one.template_id, one.version),),
        drafts=tuple(made.get((one.study_id, one.generation), ())),
    )


def _templates(one: Cluster, most: int = 3) -> str:
    counted = Counter(member.template_id for member in one.members)
    named = ", ".join(f"{template} ({n})" for template, n in counted.most_common(most))
    return named + (f" and {len(counted) - most} more" if len(counted) > most else "")


def _typical(members: Sequence[Failure]) -> list[Failure]:
    """The first failures, skipping repeats of the same text on the same template."""
    unlike: dict[tuple[str, str], Failure] = {}
    for one in members:
        unlike.setdefault((one.template_id, one.text), one)
    return list(unlike.values())[:EXAMPLES]


def _simulated(members: Sequence[Failure]) -> str:
    n = sum(one.simulated for one in members)
    return f"; {n} of the labels were made by simulated annotators" if n else ""


def _example(one: Failure) -> list[str]:
    basis = BASES[one.basis] + (", some of them simulated" if one.simulated else "")
    version = f"{one.template_id}, version {one.version}"
    return [one.question, one.gold, one.parsed or "none", one.model, version, one.study, basis]


def _answer(one: Failure) -> tuple[str, str]:
    text = one.text[:LONGEST] + (" …" if len(one.text) > LONGEST else "")
    return f"Answer of {one.model}", text or "The model gave no text."


def _versions(failures: Sequence[Failure]) -> tuple[tuple[str, int], ...]:
    return tuple(dict.fromkeys((one.template_id, one.version) for one in failures))


def drafts_of(made: DraftsMade, of: Sequence[Failure]) -> tuple[DraftLink, ...]:
    """The distinct drafts made from any of the failures."""
    return tuple(dict.fromkeys(link for one in of for link in made.get((one.study_id, one.generation), ())))


def draft_label(link: DraftLink) -> str:
    """The text of a link to a draft."""
    return f"{link.template_id or 'Draft without an id'}, {link.status}"


def filter_choices(values: Iterable[str], name: Name = str) -> Choices:
    """Filter choices as (label, value): `all`, then the values found, most frequent first."""
    return [("all", ""), *((f"{name(one)} ({n})", one) for one, n in Counter(values).most_common())]


def kind_choices(counts: Mapping[Kind, int]) -> Choices:
    """(label, value) of each kind, with the number of its rows in the label."""
    return [(f"{label} ({counts[kind]})", kind) for kind, label in KINDS.items()]


def nothing_found(kind: Kind, *, any_known: bool) -> str:
    """The message that explains an empty list."""
    if kind == "contests":
        return NO_CONTEST
    return NO_MATCH if any_known else NO_STUDY


def left_out_message(count: int) -> str:
    """A notice that there are more failures than were clustered."""
    return f"{count:,} more failures are not grouped; they are listed under {KINDS['failures']}."
