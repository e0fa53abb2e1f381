"""The guideline that a study has when nobody wrote one, and the taxonomy's rules in a bundle, as Markdown."""

from collections.abc import Iterator

from clinicnum.annotations.codebook import CodebookEntry, codebook, codes_by_step, heading_of
from clinicnum.annotations.markdown_text import escaped
from clinicnum.annotations.taxonomy import Taxonomy

DEFAULT_VERSION = "0"
"""Version of the default guideline; the first one that a person wrote is version 1."""
FIRST_VERSION = "1"
_TWO_STEPS = (
    "Judge what is written, not what was meant. Each item is judged in two steps.",
    "1. **Without the reference.** Read the question, the form it asks for, the records, and the response to "
    "its end. Work the answer out yourself. Then judge the response; for a failure, also name the class and "
    "the severity if you can. This judgement is locked before the reference is shown.\n"
    "2. **With the reference.** Compare it with your own answer. Judge the item: a gold that you cannot "
    "reproduce may be wrong. Then complete the class of a failure and its severity, and submit.",
)


def guideline_version_words(version: str) -> str:
    """A guideline's version for readers, saying of the default one what it is."""
    made = ", the default made from the taxonomy" if version == DEFAULT_VERSION else ""
    return f"version {version}{made}"


def default_guideline(taxonomy: Taxonomy) -> str:
    """How to judge an item, and every rule of the taxonomy, as Markdown."""
    title = f"# How to judge: the default guideline, made from taxonomy {escaped(_name(taxonomy))}"
    return "\n\n".join([title, *_TWO_STEPS, *_rules(taxonomy)]) + "\n"


def taxonomy_rules(taxonomy: Taxonomy, *, guideline_version: str) -> str:
    """Every rule that the labelling page shows, for readers of a bundle, as Markdown."""
    title = f"# The taxonomy's rules (guideline {guideline_version_words(guideline_version)})"
    whose = f"Taxonomy {escaped(_name(taxonomy))}, as the labelling page shows it."
    return "\n\n".join([title, whose, *_rules(taxonomy)]) + "\n"


def _name(taxonomy: Taxonomy) -> str:
    return f"{taxonomy.id} {taxonomy.version}"


def _rules(taxonomy: Taxonomy) -> Iterator[str]:
    entries = codebook(taxonomy)
    names = {entry.id: entry.name for entry in entries}
    yield "## Which error is the primary label"
    yield f"The primary label is the first error in this order: {escaped(taxonomy.step_names())}."
    made_at = codes_by_step(taxonomy)
    yield "\n".join(
        f"{number}. {_step(step.name, step.hint, [names[code] for code in made_at[step.name]])}"
        for number, step in enumerate(taxonomy.order, start=1)
    )
    heading = ""
    for entry in entries:
        if heading_of(entry) != heading:
            heading = heading_of(entry)
            yield f"## {heading}"
        yield _entry(entry)


def _step(name: str, hint: str, codes: list[str]) -> str:
    asked = f" {escaped(hint)}" if hint else ""
    listed = f" Errors: {escaped('; '.join(codes))}." if codes else ""
    return f"**{escaped(name)}**{':' if asked or listed else ''}{asked}{listed}"


def _entry(entry: CodebookEntry) -> str:
    plain = f" ({escaped(entry.plain)})" if entry.plain else ""
    code = "" if ":" in entry.id else f" `{entry.id}`"
    title = f"{'####' if entry.is_sub_class else '###'} {escaped(entry.name)}{plain}{code}"
    lines = [
        *([f"- Use when: {escaped(entry.include)}"] if entry.include else []),
        *([f"- Not when: {escaped(entry.exclude)}"] if entry.exclude else []),
        *(f"- Example: {escaped(example)}" for example in entry.examples),
    ]
    return f"{title}\n\n{escaped(entry.definition)}\n\n" + "\n".join(lines)
