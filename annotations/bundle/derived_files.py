"""The derived half of a bundle: all files that can be computed again from the raw half."""

from collections.abc import Mapping
from typing import Any

from clinicnum.annotations.bundle.bundle_file_paths import (
    ANCHOR,
    AUDIT,
    GUIDELINE,
    MANIFEST,
    OWN_GUIDELINE,
    RAW,
    README,
    REPORT,
    SUMS,
    TEMPLATES,
)
from clinicnum.annotations.bundle.raw_files import StudyMaterial
from clinicnum.annotations.exports.data_files import csv_files
from clinicnum.annotations.exports.report_files import DRAWN, report_files
from clinicnum.annotations.guideline import guideline_of_kind, taxonomy_rules
from clinicnum.annotations.report.report_content import Report
from clinicnum.annotations.study_kind import KINDS


def derived_files(material: StudyMaterial, report: Report, given: Mapping[str, bytes]) -> dict[str, bytes]:
    """Report, tables, guideline and README, computed from the raw files `given`, which the README
    describes.
    """
    tables = material.tables
    made: dict[str, str | bytes] = {
        README: _readme(material, report, given),
        GUIDELINE: _guideline(material),
        **{f"{REPORT}/{name}": text for name, text in {**report_files(report), **csv_files(tables)}.items()},
    }
    return {name: one if isinstance(one, bytes) else one.encode() for name, one in made.items()}


def _guideline(material: StudyMaterial) -> str:
    """The taxonomy's rules; of a study that judges no failures, its newest guideline."""
    tables = material.tables
    if KINDS[tables.kind].judges_failures:
        return taxonomy_rules(material.taxonomy, guideline_version=tables.guideline_version)
    versions = sorted(material.opened.guidelines, key=lambda one: one.version)
    return versions[-1].text if versions else guideline_of_kind(tables.kind, tables.fields)


def about(material: StudyMaterial, report: Report) -> dict[str, Any]:
    """What the manifest says of the bundle as a whole."""
    return {
        "kind": "clinicnum-bundle",
        "study": material.tables.study_name,
        "generated_by": report.generated_by,
        "annotator_kind": report.annotator_kind,
        "credentialed": report.data_use is not None,
        **({"data_use": report.data_use} if report.data_use else {}),
    }


def _readme(material: StudyMaterial, report: Report, given: Mapping[str, bytes]) -> str:
    tables = material.tables
    warnings = "".join(f"**{warning}**\n\n" for warning in report.warnings)
    templates = any(name.startswith(f"{TEMPLATES}/") for name in given)
    bank = (
        "the templates that the benchmark was made from, with the hash that it names"
        if templates
        else "not here: the benchmark names no bank that was at hand"
    )
    rules, them = "the study's guideline", "it"
    if KINDS[tables.kind].judges_failures:
        rules, them = "the taxonomy's rules", "them"
    own = f"\n- `{OWN_GUIDELINE}/`: the study's own guideline, as it was given"
    pairs = KINDS[tables.kind].pairs
    whole = f"pairs of answers, of {len(tables.generations)}" if pairs else f"of {len(tables.generations)}"
    return (
        f"# Study {tables.study_name}\n\n{warnings}"
        f"{len(tables.annotations)} annotation revisions on "
        f"{len({one.generation_id for one in tables.annotations})} {whole} generations, "
        "with everything that the report's figures are counted from. "
        f"Made by {report.generated_by}.\n\n"
        "`clinicnum verify FILE` checks every hash, builds the report again from the raw rows alone, and "
        f"compares each figure. Without clinicnum, `sha256sum -c {SUMS}` in the unpacked folder checks the "
        "hashes.\n\n"
        f"- `{REPORT}/`: the report as one page that opens offline, its figures as JSON, its tables as CSV, "
        f"in `{DRAWN}/` its plots as SVG and PDF; beside them the labels and scores as "
        "flat CSV with a data dictionary\n"
        f"- `{RAW}/`: instances, generations, scores, suggestions, the draw, every revision of every "
        "annotation, adjudications, contests, invalidations, rulings; one JSON object a line. `study.json` "
        "has the settings, `taxonomy.yaml` the codes\n"
        f"- `{GUIDELINE}`: {rules}, as the labelling page shows {them}"
        f"{own if _has_own(given) else ''}\n"
        f"- `{TEMPLATES}/`: {bank}\n"
        f"{_anchor(given)}"
        f"- `{MANIFEST}`, `{SUMS}`: the hash of every file\n"
    )


def _anchor(given: Mapping[str, bytes]) -> str:
    if ANCHOR not in given:
        return ""
    return f"- `{AUDIT}/`: the signed end of the audit log, and the public key that it is checked with\n"


def _has_own(given: Mapping[str, bytes]) -> bool:
    return any(name.startswith(f"{OWN_GUIDELINE}/") for name in given)
