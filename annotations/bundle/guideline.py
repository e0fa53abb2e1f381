"""The taxonomy in force as a guideline for annotators, in reading order."""

from collections.abc import Iterator

from clinicnum.annotations.taxonomy import Code, Taxonomy


def guideline_markdown(taxonomy: Taxonomy, *, guideline_version: str) -> str:
    """Every code with its rules and examples, and every level of severity, as Markdown."""
    return "\n".join(_parts(taxonomy, guideline_version)) + "\n"


def _parts(taxonomy: Taxonomy, version: str) -> Iterator[str]:
    yield f"# The taxonomy's rules (guideline version {version})\n"
    yield (
        f"Taxonomy {taxonomy.id}, version {taxonomy.version}, as the labelling page shows it. The primary "
        f"label is the first error in this order: {', '.join(taxonomy.order)}.\n"
    )
    for group in taxonomy.classes:
        yield from _code(group, group.code, 2)
        for sub in group.sub_classes:
            yield from _code(sub, f"{group.code}.{sub.code}", 3)
    yield "## Severity\n"
    for level in taxonomy.severities:
        examples = "; ".join(level.examples)
        yield f"- **{level.level}, {level.name}**: {level.definition} For example: {examples}"


def _code(code: Code, whole: str, depth: int) -> Iterator[str]:
    yield f"{'#' * depth} {code.name} (`{whole}`)\n"
    yield f"{code.definition}\n"
    yield f"- Use it: {code.include}"
    yield f"- Do not: {code.exclude}"
    yield from (f"- Example: {example}" for example in code.examples)
    yield ""
