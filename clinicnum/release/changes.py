"""What changed since the previous release: added, changed (wording, rule, golds), dropped; and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clinicnum.authoring.template_diff import difference
from clinicnum.release.data_card import in_markdown
from clinicnum.release.manifest import Origin, content_sha256
from clinicnum.templates.template import Template

AFTER_HEAD = ("The first release: ", "Against ")
"""Beginnings of the line after the notes."""


@dataclass(frozen=True)
class ChangedTemplate:
    """A template whose content or status changed."""

    was: Template
    now: Template
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Changes:
    """The differences between two banks, template by template."""

    added: tuple[Template, ...]
    changed: tuple[ChangedTemplate, ...]
    gone: tuple[Template, ...]
    unchanged: int
    compared: bool
    """Whether there was a bank to compare with."""


def changes(before: Sequence[Template], now: Sequence[Template], *, compared: bool) -> Changes:
    """The differences between `before` and `now`, by template id; `compared`: whether there was a bank
    before.
    """
    old, new = ({one.id: one for one in bank} for bank in (before, now))
    both = [(old[name], new[name]) for name in sorted(old) if name in new]
    changed = [_changed(was, is_) for was, is_ in both]
    return Changes(
        added=tuple(new[name] for name in sorted(new) if name not in old),
        changed=tuple(one for one in changed if one is not None),
        gone=tuple(old[name] for name in sorted(old) if name not in new),
        unchanged=sum(one is None for one in changed),
        compared=compared,
    )


def _changed(was: Template, now: Template) -> ChangedTemplate | None:
    lines = []
    if was.status != now.status:
        lines.append(f"was {was.status}, is {now.status}")
    if content_sha256(was) != content_sha256(now):
        lines += _difference(was.model_dump_json(), now.model_dump_json())
    return ChangedTemplate(was, now, tuple(lines)) if lines else None


@lru_cache(maxsize=512)
def _difference(was: str, now: str) -> tuple[str, ...]:
    """The differences between two versions of a template, cached, since comparing golds on sample
    patients is slow.
    """
    return tuple(difference(*map(Template.model_validate_json, (was, now))).lines()[1:])


def changelog(
    found: Changes,
    *,
    name: str,
    date: str | None,
    before: str | None,
    notes: str,
    reasons: Mapping[str, str],
    origins: Mapping[str, Sequence[Origin]],
) -> str:
    """The changelog of one release in Markdown. `reasons` and `origins` are by template id."""
    return "\n".join(_parts(found, name, date, before, notes, reasons, origins)) + "\n"


def changelog_head(*, name: str, date: str | None, notes: str) -> str:
    """The head of the changelog: title, and the purpose of the release."""
    title = f"# {name}" + (f", {date}" if date else "") + "\n\n"
    return title + (f"{notes.strip()}\n\n" if notes.strip() else "")


def _parts(
    found: Changes,
    name: str,
    date: str | None,
    before: str | None,
    notes: str,
    reasons: Mapping[str, str],
    origins: Mapping[str, Sequence[Origin]],
) -> Iterator[str]:
    yield changelog_head(name=name, date=date, notes=notes).removesuffix("\n")
    if not found.compared:
        yield f"The first release: {len(found.added)} templates. What came from failures is named below.\n"
    else:
        yield (
            f"Against {before}: {len(found.added)} added, {len(found.changed)} changed, {len(found.gone)} no "
            f"longer in it, {found.unchanged} as they were.\n"
        )
    # A first release lists only templates with an origin or reason; the bank's files list the others.
    added = [one for one in found.added if found.compared or origins.get(one.id) or reasons.get(one.id)]
    yield from _section("Added", ((one, _name(one), ()) for one in added), reasons, origins)
    changed = ((one.now, f"{_name(one.was)}, now {_named(one.now)}", one.lines) for one in found.changed)
    yield from _section("Changed", changed, reasons, origins)
    yield from _section("No longer in it", ((one, _name(one), ()) for one in found.gone), reasons, {})


def _section(
    title: str,
    entries: "Iterator[tuple[Template, str, Sequence[str]]]",
    reasons: Mapping[str, str],
    origins: Mapping[str, Sequence[Origin]],
) -> Iterator[str]:
    listed = list(entries)
    if not listed:
        return
    yield f"## {title}\n"
    for template, said, lines in listed:
        yield f"- `{template.id}` {said}"
        if reasons.get(template.id):
            yield f"  - why: {in_markdown(reasons[template.id])}"
        yield from (f"  - from: {in_markdown(str(origin))}" for origin in origins.get(template.id, ()))
        yield from (f"  - {in_markdown(line)}" for line in lines)
    yield ""


def _name(template: Template) -> str:
    return f"version {template.version} ({template.status})"


def _named(template: Template) -> str:
    return f"{template.version} ({template.status})"
