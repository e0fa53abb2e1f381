"""Make a release: the same templates, evidence and arguments give the same bytes, whatever the time."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date as calendar_day

from clinicnum import __version__
from clinicnum.errors import InputError
from clinicnum.release.changes import AFTER_HEAD, Changes, changelog, changelog_head, changes
from clinicnum.release.data_card import citation, datacard
from clinicnum.release.manifest import (
    CHANGELOG,
    CITATION,
    DATACARD,
    MANIFEST,
    NAME_PATTERN,
    VALIDATION,
    Entry,
    Evidence,
    FileHash,
    Manifest,
    Origin,
    PreviousRelease,
    Release,
    content_sha256,
    json_text,
    sha256_text,
)
from clinicnum.templates.bank import bank_sha256
from clinicnum.templates.parse_template import content_of, yaml_of
from clinicnum.templates.template import ASKABLE, Template
from clinicnum.translatable_text import Translatable
from clinicnum.types import OPERATIONS

LICENCE = "Apache-2.0"
"""Licence of the packaged templates; a bank of your own may name another."""


@dataclass(frozen=True)
class IncludedTemplate:
    """A template to include in a release."""

    template: Template
    evidence: Evidence | None = None
    """The evidence; None for a template that was not reviewed."""
    origins: tuple[Origin, ...] = ()


@dataclass(frozen=True)
class ReleaseDescription:
    """The name, date, notes, licence and authors of a release."""

    name: str
    notes: str = ""
    """Purpose of the release; it is the first text of the changelog."""
    date: str | None = None
    """YYYY-MM-DD; without one the release does not depend on the day."""
    licence: str = LICENCE
    """An SPDX identifier."""
    authors: Sequence[str] = ()
    """The authors of the bank, for citation; if empty, its curators."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Template id -> why it was added, changed or dropped."""


def make_release(
    included: Sequence[IncludedTemplate], wanted: ReleaseDescription, *, before: Release | None = None
) -> dict[str, str]:
    """The files of a release, by name.

    `before` is the release that the changelog compares with. Raises InputError for an invalid name or date,
    an empty list of templates, a template whose status does not allow it to be asked, a duplicate, and one
    called validated without evidence.
    """
    _check(included, wanted)
    ordered = sorted(included, key=lambda one: one.template.id)
    templates = [one.template for one in ordered]
    found = changes(before.templates if before else (), templates, compared=before is not None)
    files = _bank_files(wanted.name, templates) | _texts(ordered, wanted, found, before)
    manifest = Manifest(
        name=wanted.name,
        date=wanted.date,
        clinicnum_version=__version__,
        bank_sha256=bank_sha256(templates),
        before=PreviousRelease(name=before.name, sha256=before.sha256) if before else None,
        templates=tuple(_entry(one) for one in ordered),
        files={
            name: FileHash(bytes=len(text.encode()), sha256=sha256_text(text)) for name, text in files.items()
        },
    )
    return dict(sorted((files | {MANIFEST: manifest.sealed().text()}).items()))


def _check(included: Sequence[IncludedTemplate], wanted: ReleaseDescription) -> None:
    if not re.fullmatch(NAME_PATTERN, wanted.name):
        raise InputError(
            Translatable(
                "{name!r} cannot name a release; expected up to 64 of a-z, 0-9, dot, dash, underscore, such "
                "as ward-2026.1",
                name=wanted.name,
            )
        )
    if wanted.date is not None:
        _check_date(wanted.date)
    if not included:
        raise InputError(
            Translatable(
                "a release without a template helps nobody; validate some, or include unreviewed ones"
            )
        )
    seen: set[str] = set()
    for one in included:
        template = one.template
        if template.id in seen:
            raise InputError(f"{template.id} is given twice; a release holds one version of a template")
        seen.add(template.id)
        if template.status not in ASKABLE:
            raise InputError(
                f"{template.id} version {template.version} is {template.status}; it is not released"
            )
        if (template.status == "validated") != (one.evidence is not None):
            what = "no evidence" if one.evidence is None else f"evidence, but the status {template.status}"
            raise InputError(f"{template.id} version {template.version} has {what}; review it first")


def _check_date(text: str) -> None:
    try:
        if calendar_day.fromisoformat(text).isoformat() == text:
            return
    except ValueError:
        pass
    raise InputError(
        Translatable("{text!r} is no date; expected YYYY-MM-DD", text=text), on_command_line="--date"
    )


def bank_texts(templates: Sequence[Template], head: str) -> dict[str, str]:
    """File name -> YAML text of templates, one file per operation; `head` is the comment in line 1."""
    by_operation: dict[str, list[Template]] = defaultdict(list)
    for template in sorted(templates, key=lambda one: one.id):
        by_operation[template.operation].append(template)
    return {
        f"{operation}.yaml": f"# {head}\n" + "\n".join(yaml_of(content_of(one)) for one in found)
        for operation in OPERATIONS
        if (found := by_operation.get(operation))
    }


def _bank_files(name: str, templates: Sequence[Template]) -> dict[str, str]:
    return bank_texts(templates, f"Of the bank release {name}; {MANIFEST} holds its hash, so do not edit it.")


def _texts(
    included: Sequence[IncludedTemplate], wanted: ReleaseDescription, found: Changes, before: Release | None
) -> dict[str, str]:
    evidence = {one.template.id: one.evidence for one in included if one.evidence is not None}
    return {
        CHANGELOG: changelog(
            found,
            name=wanted.name,
            date=wanted.date,
            before=before.name if before else None,
            notes=wanted.notes,
            reasons=wanted.reasons,
            origins={one.template.id: one.origins for one in included},
        ),
        DATACARD: datacard(
            [one.template for one in included], evidence, name=wanted.name, licence=wanted.licence
        ),
        VALIDATION: json_text(
            {
                one.template.id: {
                    "version": one.template.version,
                    "status": one.template.status,
                    "evidence": None if one.evidence is None else one.evidence.model_dump(mode="json"),
                }
                for one in included
            }
        ),
        CITATION: citation(
            name=wanted.name,
            date=wanted.date,
            licence=wanted.licence,
            authors=wanted.authors,
            count=len(included),
        ),
    }


def differing_texts(files: Mapping[str, str], wanted: ReleaseDescription, *, templates: int) -> list[str]:
    """Names of those of a release's `files` that the `wanted` name, date, notes, licence or authors would
    change.
    """
    head = changelog_head(name=wanted.name, date=wanted.date, notes=wanted.notes)
    rest = files[CHANGELOG].removeprefix(head)
    cited = citation(
        name=wanted.name,
        date=wanted.date,
        licence=wanted.licence,
        authors=wanted.authors,
        count=templates,
    )
    same_notes = rest != files[CHANGELOG] and rest.startswith(AFTER_HEAD)
    return ([] if same_notes else [CHANGELOG]) + ([] if cited == files[CITATION] else [CITATION])


def _entry(one: IncludedTemplate) -> Entry:
    template = one.template
    return Entry(
        id=template.id,
        version=template.version,
        status=template.status,
        file=f"{template.operation}.yaml",
        sha256=content_sha256(template),
        reviewed_by=one.evidence.experts if one.evidence else 0,
        origins=one.origins,
    )
