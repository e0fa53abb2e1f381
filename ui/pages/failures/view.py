"""Failures, clusters of failures and upheld contests as rows of text. No Gradio, no database."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from clinicnum.annotations.curation.failure_clusters import Cluster
from clinicnum.annotations.curation.labelled_failure import BASES, DraftLink, Failure, UpheldContest
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.value_display_names import word
from clinicnum.ui.pages.failures.drafts_made import (
    Begun,
    DraftsMade,
    drafts_of,
    drafts_possible,
    next_version_of,
)

Kind = Literal["clusters", "contests", "failures"]
KINDS: dict[Kind, str] = {
    "clusters": Translatable("Similar failures"),
    "contests": Translatable("Upheld contests"),
    "failures": Translatable("Individual failures"),
}
COLUMNS: dict[Kind, tuple[str, ...]] = {
    "clusters": (
        Translatable("Cause"),
        Translatable("Operation"),
        Translatable("Failures"),
        Translatable("Distinctive words"),
        Translatable("Templates"),
        Translatable("Studies"),
        Translatable("Drafts"),
        "ID",
    ),
    "contests": (
        Translatable("Decision"),
        Translatable("Template"),
        Translatable("Version"),
        Translatable("Question"),
        Translatable("Study"),
        Translatable("Drafts"),
        "ID",
    ),
    "failures": (
        Translatable("Cause"),
        Translatable("Operation"),
        Translatable("Template"),
        Translatable("Version"),
        Translatable("Model"),
        Translatable("Question"),
        Translatable("Study"),
        Translatable("Drafts"),
        "ID",
    ),
}
"""Column headings of each kind of list; the last column, ID, identifies the row."""
FACTS = (Translatable("Field"), Translatable("Value"))
EXAMPLE = (
    Translatable("Question"),
    Translatable("Gold answer"),
    Translatable("Parsed answer"),
    Translatable("Model"),
    Translatable("Template"),
    Translatable("Study"),
    Translatable("Cause decided by"),
)
EXAMPLE_WIDTHS: list[str | int] = ["280px", "120px", "150px", "130px", "200px", "110px", "190px"]
ABOUT = Translatable(
    "Labelled failures of closed studies, and contests that an adjudicator upheld. "
    "A draft begun from one of them records where it came from."
)
EXAMPLES = 3
"""Examples shown of a cluster: those nearest to its centre."""
PAGE = 20
LONGEST = 1_500
"""Most characters shown of an answer."""
CONTESTS = {
    "gold_wrong": Translatable("the gold answer is wrong"),
    "ambiguous": Translatable("the question is ambiguous"),
}
NO_STUDY = Translatable(
    "No study with labelled failures is closed yet. Labels are shown once a study is closed, "
    "so that nobody is influenced by them."
)
NO_MATCH = Translatable("No failure matches these filters.")
NO_CONTEST = Translatable("No contest has been upheld here yet.")
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
    begins: tuple[Begun, ...]
    """The kinds of draft that can be made from it."""
    next_version_of: str = ""
    """Of failures of several templates, which of these a new version is begun of, in words."""


def paged(found: int, page: int) -> tuple[slice, int, int]:
    """How `found` rows are divided into pages: the slice of rows on `page` (the last one if that is too
    high), its number, the number of pages.
    """
    pages = max(1, -(-found // PAGE))
    at = min(page, pages)
    return slice((at - 1) * PAGE, at * PAGE), at, pages


def page_label(kind: Kind, found: int, at: int) -> str:
    """The heading of a page of the list, such as `Similar failures: 21 to 40 of 57`."""
    first = (at - 1) * PAGE
    if not found:
        return _(KINDS[kind])
    return _(
        "{kind}: {first} to {last} of {total}",
        kind=KINDS[kind],
        first=first + 1,
        last=min(first + PAGE, found),
        total=found,
    )


def cluster_row(one: Cluster, made: DraftsMade, name: Name) -> list[str]:
    """The table row of a cluster of failures; `made` has the drafts made so far."""
    return [
        name(one.code),
        word(one.operation),
        str(len(one.members)),
        ", ".join(one.words) or _("none"),
        _templates(one),
        ", ".join(sorted({member.study for member in one.members})),
        str(len(drafts_of(made, one.members))),
        one.cluster_id,
    ]


def failure_row(one: Failure, made: DraftsMade, name: Name) -> list[str]:
    """The table row of a failure; `made` has the drafts made so far."""
    version = [one.template_id, str(one.version), one.model, one.question, one.study]
    return [name(one.code), word(one.operation), *version, str(len(drafts_of(made, [one]))), one.key]


def contest_row(one: UpheldContest, made: DraftsMade) -> list[str]:
    """The table row of an upheld contest; `made` has the drafts made so far."""
    about = [one.template_id, str(one.version), one.question, one.study]
    return [
        _(CONTESTS[one.kind]),
        *about,
        str(len(made.get((one.study_id, one.generation), ()))),
        one.contest,
    ]


def label_of(row: Sequence[str]) -> str:
    """The label of a row of COLUMNS in the dropdown."""
    return ", ".join(row[:3])


def cluster_details(one: Cluster, made: DraftsMade, name: Name) -> Details:
    """Details of a cluster, with its most typical failures."""
    typical = _typical(one.members)
    facts = [
        [_("Cause"), f"{name(one.code)} ({one.code})"],
        [_("Failures"), _count(one.members)],
        [_("Distinctive words"), ", ".join(one.words) or _("none")],
        [_("Templates"), _templates(one, most=20)],
    ]
    return Details(
        title=ngettext(
            "{n} failure: {cause}, in {operation}",
            "{n} failures: {cause}, in {operation}",
            len(one.members),
            cause=name(one.code),
            operation=word(one.operation),
        ),
        facts=facts,
        examples=[_example(member) for member in typical],
        answers=tuple(map(_answer, typical)),
        versions=_versions(typical),
        drafts=drafts_of(made, one.members),
        begins=drafts_possible(one.operation, one.members[0].scoring),
        next_version_of=next_version_of(one.members),
    )


def failure_details(one: Failure, made: DraftsMade, name: Name) -> Details:
    """Details of one failure, that is, one wrong answer."""
    return Details(
        title=_("{cause}, in {template}", cause=name(one.code), template=one.template_id),
        facts=[[_("Cause"), f"{name(one.code)} ({one.code})"], [_("Operation"), word(one.operation)]],
        examples=[_example(one)],
        answers=(_answer(one),),
        versions=_versions([one]),
        drafts=drafts_of(made, [one]),
        begins=drafts_possible(one.operation, one.scoring),
    )


def contest_details(one: UpheldContest, made: DraftsMade) -> Details:
    """Details of an upheld contest; it has no model answers."""
    return Details(
        title=_("Upheld: {contest}", contest=CONTESTS[one.kind]),
        facts=[
            [_("Question"), one.question],
            [_("Gold answer at that time"), one.gold],
            *([[_("Proposed gold answer"), one.proposed]] if one.proposed else []),
            [_("Adjudicator's comment"), one.comment or _("none")],
            [_("Removed"), ngettext("{n} instance", "{n} instances", one.taken_out)],
            [_("Study"), one.study],
        ],
        examples=[],
        answers=(),
        versions=((one.template_id, one.version),),
        drafts=tuple(made.get((one.study_id, one.generation), ())),
        begins=drafts_possible(one.operation, one.scoring),
    )


def _templates(one: Cluster, most: int = 3) -> str:
    counted = Counter(member.template_id for member in one.members)
    named = ", ".join(f"{template} ({n})" for template, n in counted.most_common(most))
    more = len(counted) - most
    return _("{templates} and {n} more", templates=named, n=more) if more > 0 else named


def _typical(members: Sequence[Failure]) -> list[Failure]:
    """The first failures, skipping repeats of the same text on the same template."""
    unlike: dict[tuple[str, str], Failure] = {}
    for one in members:
        unlike.setdefault((one.template_id, one.text), one)
    return list(unlike.values())[:EXAMPLES]


def _count(members: Sequence[Failure]) -> str:
    simulated = sum(one.simulated for one in members)
    if not simulated:
        return str(len(members))
    return _(
        "{n}; {simulated} of the labels were made by simulated annotators",
        n=len(members),
        simulated=simulated,
    )


def _example(one: Failure) -> list[str]:
    basis = _(BASES[one.basis])
    if one.simulated:
        basis = _("{basis}; simulated annotators are among those who judged it", basis=basis)
    version = _("{template}, version {version}", template=one.template_id, version=one.version)
    return [one.question, one.gold, one.parsed or _("none"), one.model, version, one.study, basis]


def _answer(one: Failure) -> tuple[str, str]:
    text = one.text[:LONGEST] + (" …" if len(one.text) > LONGEST else "")
    return _("Answer of {model}", model=one.model), text or _("The model gave no text.")


def _versions(failures: Sequence[Failure]) -> tuple[tuple[str, int], ...]:
    return tuple(dict.fromkeys((one.template_id, one.version) for one in failures))


def filter_choices(values: Iterable[str], name: Name = str) -> Choices:
    """Filter choices as (label, value): `all`, then the values found, most frequent first."""
    return [(_("all"), ""), *((f"{name(one)} ({n})", one) for one, n in Counter(values).most_common())]


def kind_choices(counts: Mapping[Kind, int]) -> Choices:
    """(label, value) of each kind, with the number of its rows in the label."""
    return [(f"{_(label)} ({counts[kind]})", kind) for kind, label in KINDS.items()]


def nothing_found(kind: Kind, *, any_known: bool) -> str:
    """The message that explains an empty list; `any_known`: whether a closed study has any failure."""
    if kind == "contests":
        return _(NO_CONTEST)
    return _(NO_MATCH) if any_known else _(NO_STUDY)


def left_out_message(count: int) -> str:
    """A notice that there are more failures than were clustered."""
    return _(
        "{n:,} more failures are not grouped; they are listed under {kind}.", n=count, kind=KINDS["failures"]
    )
