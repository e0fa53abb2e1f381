"""The raw half of a bundle: a study's rows as files, written and read back without a database.

Rows read back are equal to those written, so that a report rebuilt from them must be the bundle's report.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from clinicnum.annotations.adjudication import Adjudication
from clinicnum.annotations.bundle.bundle_file_paths import LATER, LINES, STUDY, TAXONOMY, lines_path
from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.report.study_tables import Inclusion, StudyTables
from clinicnum.annotations.study_seed import Seed
from clinicnum.annotations.study_summary import GuidelineVersion
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.types import Annotation, Contest, Invalidation, Ruling, UtcTime
from clinicnum.errors import InputError
from clinicnum.io.jsonl import first_problem
from clinicnum.io.strict_json import plain_json
from clinicnum.templates.template_yaml import plain_yaml
from clinicnum.types import Frozen, Generation, Instance, Score, Suggestion

T = TypeVar("T", bound=BaseModel)
_KINDS: dict[str, type[BaseModel]] = {
    "instances": Instance,
    "generations": Generation,
    "scores": Score,
    "inclusions": Inclusion,
    "annotations": Annotation,
    "contests": Contest,
    "adjudications": Adjudication,
    "invalidations": Invalidation,
    "rulings": Ruling,
    "suggestions": Suggestion,
    "criteria": Criterion,
}


class StudySettingsAndState(Frozen):
    """How the study was opened, and its state and guidelines since; no figure depends on any of it."""

    status: str
    include: str
    seed: Seed | None
    """The seed of the sample, the order and randomised suggestions; None while models are masked."""
    secret: str | None = None
    """The key of the study's page ids and orders; None while models are masked, and in bundles of earlier
    versions.
    """
    suggestion_policy: str
    created_at: UtcTime
    closed_at: UtcTime | None
    guidelines: tuple[GuidelineVersion, ...] = ()
    """Every version, the first one first."""


@dataclass(frozen=True)
class StudyMaterial:
    """A whole study: what the report is built from, and what else a reader needs to judge it."""

    tables: StudyTables
    taxonomy: Taxonomy
    opened: StudySettingsAndState


def raw_files(material: StudyMaterial) -> dict[str, bytes]:
    """The material as files, with annotators under their pseudonyms, as in the tables."""
    tables = material.tables
    study = tables.model_dump(mode="json", exclude=set(LINES)) | {
        "opened": material.opened.model_dump(mode="json")
    }
    taxonomy = yaml.safe_dump(
        material.taxonomy.model_dump(mode="json"), sort_keys=False, allow_unicode=True, width=110
    )
    return {
        STUDY: (json.dumps(study, indent=1, ensure_ascii=False) + "\n").encode(),
        TAXONOMY: taxonomy.encode(),
        **{lines_path(part): _lines(getattr(tables, part)) for part in LINES},
    }


def read_raw(files: Mapping[str, bytes]) -> StudyMaterial:
    """The material of a bundle. Raises InputError naming file and line of what cannot be read."""
    study = _json_object(files, STUDY)
    opened = study.pop("opened", None)
    parts = {
        part: _read_lines(files, lines_path(part), kind)
        for part, kind in _KINDS.items()
        if part not in LATER or lines_path(part) in files
    }
    taxonomy = _taxonomy(files)
    tables = _validated(StudyTables, study | parts, STUDY)
    if taxonomy.codes() != tuple(one.code for one in tables.taxonomy_codes):
        raise InputError(f"{TAXONOMY}: its codes are not those of {STUDY}; copy the bundle anew")
    return StudyMaterial(
        tables=tables,
        taxonomy=taxonomy,
        opened=_validated(StudySettingsAndState, opened, f"{STUDY}: opened"),
    )


def _lines(objects: Iterable[BaseModel]) -> bytes:
    return b"".join(one.model_dump_json().encode() + b"\n" for one in objects)


def _found(files: Mapping[str, bytes], name: str) -> bytes:
    if name not in files:
        raise InputError(f"{name}: is not in the bundle; copy it anew from where it was made")
    return files[name]


def _read_lines(files: Mapping[str, bytes], name: str, kind: type[T]) -> tuple[T, ...]:
    lines = _found(files, name).split(b"\n")
    return tuple(_line(line, kind, f"{name}:{number}") for number, line in enumerate(lines, start=1) if line)


def _line(line: bytes, kind: type[T], where: str) -> T:
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        raise InputError(
            f"{where}: not a valid {kind.__name__.lower()}: {first_problem(error)}; copy the bundle anew"
        ) from error


def _json_object(files: Mapping[str, bytes], name: str) -> dict[str, Any]:
    try:
        loaded = plain_json(_found(files, name))
    except ValueError as error:
        raise InputError(f"{name}: not JSON ({error}); copy the bundle anew") from error
    if not isinstance(loaded, dict):
        raise InputError(f"{name}: expected a JSON object, got {type(loaded).__name__}; copy the bundle anew")
    return loaded


def _taxonomy(files: Mapping[str, bytes]) -> Taxonomy:
    text = _found(files, TAXONOMY).decode("utf-8", "replace")
    return _validated(Taxonomy, plain_yaml(text, f"{TAXONOMY}:"), TAXONOMY)


def _validated(kind: type[T], loaded: object, name: str) -> T:
    try:
        return kind.model_validate(loaded)
    except ValidationError as error:
        raise InputError(f"{name}: {first_problem(error)}; copy the bundle anew") from error
