"""A study's default guideline, and the taxonomy's rules in a bundle, as Markdown."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from clinicnum.annotations.codebook import CodebookEntry, codebook, codes_by_step, heading_of
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.escape_markdown import escaped
from clinicnum.annotations.study_kind import StudyKind
from clinicnum.annotations.taxonomy import OrderStep, Taxonomy
from clinicnum.translatable_text import Translatable

DEFAULT_VERSION = "0"
"""Version of the default guideline; the first one that a person wrote is version 1."""
FIRST_VERSION = "1"
RULINGS_HEADING = "## Rulings"
_TWO_STEPS = (
    Translatable("Judge what is written, not what was meant. Each item is judged in two steps."),
    Translatable(
        "1. **Without the gold answer.** Read the question, the form it asks for, the records, and the "
        "response to its end. Work the answer out yourself. Then judge the response; for a failure, also "
        "name the class and the severity if you can. This judgement is locked before the gold answer "
        "is shown.\n"
        "2. **With the gold answer.** Compare it with your own answer. Judge the item: a gold answer that "
        "you cannot reproduce may be wrong. Then complete the class of a failure and its severity, and "
        "submit."
    ),
)
_PAIRS = (
    "# How to compare two answers",
    "Read the question, the form that it asks for, and the records. Read both answers to their end. Then say "
    "which one you would rather have whoever asked act on.",
    "- **The left one, the right one**: it is right where the other is wrong, or less harmful, or, where "
    "both are right, plainly of more use. Length and tone alone make no answer better.\n"
    "- **Both alike, and usable**: you would act on either, and have no reason to choose.\n"
    "- **Both bad**: you would act on neither, whichever is the lesser evil.",
    "Which answer stands on the left is drawn for you and for each question. The gold answer is not shown. "
    "Why you chose, you may write in a sentence; it is read with your choice.",
)
_RATINGS = (
    "# How to rate answers",
    "Read the question, the form that it asks for, and the records or the text. Read the answer to its end. "
    "Then give it a point on each axis, one axis at a time: an answer can be clear and wrong.",
    "Rate what is written, not what was meant, and by the names of the points, not against other answers. "
    "Use the whole scale: the middle is for answers that lie between both ends, not for doubt. Length and "
    "tone alone make no answer better.",
)
MAJOR_HARM = "lasting, or in need of treatment"
HARMS_DEFINED = f"none, minor (passing, and in no need of treatment) or major ({MAJOR_HARM})"
"""The grades of harm in the default guideline of a claims study."""
_CLAIMS = (
    "# How to check an answer",
    "Read the item's text first. Then go through the answer sentence by sentence, and say of each:",
    "- **Supported**: the text says so, or it follows from the text.\n"
    "- **Contradicted**: the text says otherwise. A wrong number, side, date or person is enough.\n"
    "- **Not addressed**: the text says nothing of it, even if it is true in general.",
    "Where a sentence says several things, the worst part counts. A sentence without a claim, such as a "
    "greeting, is supported. Of what is contradicted or not addressed, give the harm if somebody who cannot "
    f"see the text acts on it: {HARMS_DEFINED}.",
    "If the item has a reference, its sentences come next: say of each whether the answer **states** it, in "
    "whatever words, or **omits** it, and the harm of what is omitted.",
)
_OTHER_KINDS: Mapping[StudyKind, tuple[str, ...]] = {
    "pairwise": _PAIRS,
    "ratings": _RATINGS,
    "claims": _CLAIMS,
}
InWords = Callable[[str], str]
"""Translates a text for the reader; `str` leaves it in English."""


def guideline_version_words(version: str) -> Translatable:
    """A guideline's version for readers; the default one is described."""
    if version == DEFAULT_VERSION:
        return Translatable("version {version}, the default made from the taxonomy", version=version)
    return Translatable("version {version}", version=version)


def default_guideline(taxonomy: Taxonomy, in_words: InWords = str) -> str:
    """How to judge an item, and every rule of the taxonomy, as Markdown."""
    title = Translatable(
        "How to judge: the default guideline, made from taxonomy {name}", name=escaped(_name(taxonomy))
    )
    parts = [f"# {in_words(title)}", *map(in_words, _TWO_STEPS), *_rules(taxonomy, in_words)]
    return "\n\n".join(parts) + "\n"


def guideline_of_kind(kind: StudyKind, fields: Iterable[CustomField] = ()) -> str:
    """The default guideline of a study that does not judge failures, as Markdown, with the scales of its
    rating axes in `fields`; empty for a study of failures, whose guideline is made from the taxonomy.
    """
    if kind not in _OTHER_KINDS:
        return ""
    axes = "\n".join(f"- **{escaped(one.label)}** {_points(one)}" for one in fields)
    return "\n\n".join((*_OTHER_KINDS[kind], *([axes] if axes else []))) + "\n"


def _points(axis: CustomField) -> str:
    """The points of an axis that have a meaning, and both ends, in one line."""
    ends = (axis.options[0], axis.options[-1])
    named = [one for one in axis.options if one.means or one in ends]
    return "; ".join(escaped(f"{one.value}: {one.means}" if one.means else one.value) for one in named)


def taxonomy_rules(taxonomy: Taxonomy, *, guideline_version: str) -> str:
    """Every rule that the labelling page shows, for readers of a bundle, as Markdown."""
    title = f"# The taxonomy's rules (guideline {guideline_version_words(guideline_version)})"
    whose = f"Taxonomy {escaped(_name(taxonomy))}, as the labelling page shows it."
    return "\n\n".join([title, whose, *_rules(taxonomy, str)]) + "\n"


def with_rulings(text: str, rulings: Iterable[str]) -> str:
    """A guideline's text with rulings appended as a list under a heading of their own, as a draft to edit."""
    lines = [f"- {ruling.strip()}".replace("\n", "\n  ") for ruling in rulings]
    if not lines:
        return text
    last_heading = next((line for line in reversed(text.splitlines()) if line.startswith("#")), "")
    heading = [] if last_heading == RULINGS_HEADING else [RULINGS_HEADING]
    before = [text.rstrip()] if text.strip() else []
    separator = "\n\n" if heading or not before else "\n"
    return separator.join([*before, "\n\n".join([*heading, "\n".join(lines)])]) + "\n"


def _name(taxonomy: Taxonomy) -> str:
    return f"{taxonomy.id} {taxonomy.version}"


def _rules(taxonomy: Taxonomy, in_words: InWords) -> Iterator[str]:
    entries = codebook(taxonomy)
    names = {entry.id: in_words(entry.name) for entry in entries}
    title = in_words(Translatable("Which error is the primary label"))
    yield f"## {title}"
    order = escaped(", ".join(in_words(step.name) for step in taxonomy.order))
    yield in_words(Translatable("The primary label is the first error in this order: {order}.", order=order))
    made_at = codes_by_step(taxonomy)
    yield "\n".join(
        f"{number}. {_step(step, [names[code] for code in made_at[step.name]], in_words)}"
        for number, step in enumerate(taxonomy.order, start=1)
    )
    heading = ""
    for entry in entries:
        if heading_of(entry) != heading:
            heading = heading_of(entry)
            yield f"## {in_words(heading)}"
        yield _entry(entry, in_words)


def _step(step: OrderStep, codes: list[str], in_words: InWords) -> str:
    asked = f" {escaped(in_words(step.hint))}" if step.hint else ""
    errors = in_words(Translatable("Errors: {codes}.", codes=escaped("; ".join(codes))))
    listed = f" {errors}" if codes else ""
    return f"**{escaped(in_words(step.name))}**{':' if asked or listed else ''}{asked}{listed}"


def _entry(entry: CodebookEntry, in_words: InWords) -> str:
    plain = f" ({escaped(in_words(entry.plain))})" if entry.plain else ""
    code = "" if ":" in entry.id else f" `{entry.id}`"
    title = f"{'####' if entry.is_sub_class else '###'} {escaped(in_words(entry.name))}{plain}{code}"
    when, not_when, example = map(
        in_words, (Translatable("Use when"), Translatable("Not when"), Translatable("Example"))
    )
    lines = [
        *([f"- {when}: {escaped(in_words(entry.include))}"] if entry.include else []),
        *([f"- {not_when}: {escaped(in_words(entry.exclude))}"] if entry.exclude else []),
        *(f"- {example}: {escaped(in_words(one))}" for one in entry.examples),
    ]
    return f"{title}\n\n{escaped(in_words(entry.definition))}\n\n" + "\n".join(lines)
