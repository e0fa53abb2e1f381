"""Check a bundle against its own raw rows: every hash, every figure, every file that can be derived again."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from clinicnum.annotations.bundle.archive import Unpacked, pack
from clinicnum.annotations.bundle.bundle_file_paths import (
    FIGURES,
    GUIDELINE,
    MANIFEST,
    README,
    REPORT,
    SUMS,
    TEMPLATES,
    is_raw,
)
from clinicnum.annotations.bundle.bundled_audit_anchor import anchor_faults, anchor_notes
from clinicnum.annotations.bundle.compare_recomputed_report import (
    count_figures,
    different_figures,
    in_earlier_layout,
)
from clinicnum.annotations.bundle.derived_files import about, derived_files
from clinicnum.annotations.bundle.manifest import Fault, changed_files, changed_lists
from clinicnum.annotations.bundle.raw_files import StudyMaterial, read_raw
from clinicnum.annotations.bundle.source_file_notes import origin_notes
from clinicnum.annotations.bundle.template_files import bundled_bank_sha256
from clinicnum.annotations.exports.report_files import DRAWN, PAGE, read_report
from clinicnum.annotations.guideline import taxonomy_rules
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.csv_without_formulas import csv_text
from clinicnum.annotations.report.report_content import LAYOUT, Report
from clinicnum.credentialed_data import UNKNOWN_TERMS

_DRAWINGS = re.compile(rb"<svg\b.*?</svg>", re.DOTALL)
_PICTURES = f"{REPORT}/{DRAWN}/"
_WITH_PICTURES = 4
"""The first layout whose bundles hold pictures, and whose taxonomy is in its present words."""
_LATER_COLUMNS = {
    "adjudicated",
    *("adjudicated_verdict", "adjudicated_harm"),
    *("adjudicated_left", "adjudicated_model", "adjudicated_number"),
}
"""Columns of the tables of labels that layout 4 lacks."""
_LABELS = tuple(f"{REPORT}/{name}.csv" for name in ("claims", "comparisons", "criteria", "ratings"))
_EARLIER_WORDS = (
    (b"### Gold answer is wrong", b"### Gold is wrong"),
    (b"choose gold answer is wrong;", b"choose gold is wrong;"),
)
"""(present wording, earlier wording) of the taxonomy's rules, before layout 4."""
_EARLIER_NOTICE = (
    b"credentialed data: its records are not known to be open: keep this on machines where they may be, give "
    b"it only to people who may see them, and send it to no online service."
)
"""What files of earlier layouts say of records that are not known to be open."""
_LAID_OUT = (
    *(README, FIGURES),
    *(f"{REPORT}/{name}" for name in (PAGE, "data_dictionary.md", "datapackage.json")),
)
"""The files whose layout differs in earlier versions of clinicnum. Markdown and LaTeX differ too, as a figure
that ends in 5 may be rounded otherwise there.
"""
_EARLIER = (
    "the report is laid out as by an earlier version: every figure of its tables was recomputed but those of "
    "the plan for a next study, whose simulations are others now, and of rows for which this version gives "
    "none; its page, its texts in Markdown and LaTeX, its sentences, remarks and verdicts, its data "
    "dictionary and the README were not compared"
)


@dataclass(frozen=True)
class Verification:
    """The result of checking a bundle."""

    study: str | None
    """Name of the study; None if a file was changed, so that nothing was read."""
    files: int
    figures: int
    """Number of figures recomputed from the raw rows."""
    faults: tuple[Fault, ...]
    notes: tuple[str, ...] = ()
    """Facts that a reader should know and that are not faults."""

    @property
    def whole(self) -> bool:
        """Whether no fault was found."""
        return not self.faults


def verify_bundle(bundle: Unpacked, *, generated_by: str) -> Verification:
    """Check a bundle; `generated_by` is this program and its version.

    Hashes are checked first: if a file was changed, only that is reported. Otherwise the report is rebuilt
    from the raw rows and compared figure by figure (to 1e-9), every file derived from them byte by byte, and
    finally the archive itself. Raises InputError for files that are not a bundle, or that cannot be read
    although their hashes are right.
    """
    files = bundle.files
    changed = changed_files(files)
    if changed:
        return Verification(study=None, files=len(files), figures=0, faults=changed)
    material = read_raw(files)
    given = read_report(files.get(FIGURES, b""), FIGURES)
    changed = changed_lists(files, about(material, given))
    if changed:
        return Verification(study=None, files=len(files), figures=0, faults=changed)
    rebuilt = build_report(material.tables, generated_by=given.generated_by)
    notes = [*_version_notes(given, generated_by)]
    if bundle.compressed:
        notes.append("the archive was packed anew by another program; every file in it is as it was")
    if given.layout < LAYOUT:
        rebuilt = in_earlier_layout(given, rebuilt)
        notes.append(_EARLIER)
    faults = [
        *different_figures(given, rebuilt),
        *_remade(files, material, given, notes),
        *_other_bank(files, material),
        *anchor_faults(files),
    ] or _other_archive(bundle)
    return Verification(
        study=material.tables.study_name,
        files=len(files),
        figures=count_figures(rebuilt),
        faults=tuple(faults),
        notes=(*notes, *origin_notes(material, files), *(() if faults else anchor_notes(material, files))),
    )


def _version_notes(given: Report, generated_by: str) -> Iterator[str]:
    if given.generated_by != generated_by:
        yield f"made by {given.generated_by}, checked by {generated_by}: versions may write otherwise"


def _remade(
    files: Mapping[str, bytes], material: StudyMaterial, given: Report, notes: list[str]
) -> Iterator[Fault]:
    """Yield a fault for each derived file that is missing, superfluous, or not what the raw rows give."""
    raw = {name: content for name, content in files.items() if is_raw(name)}
    made = derived_files(material, given, raw)
    if given.layout < _WITH_PICTURES:
        made = {name: content for name, content in made.items() if not name.startswith(_PICTURES)}
    if given.layout < LAYOUT:
        made |= {name: files[name] for name in made if _laid_out(name) and name in files}
        labels = [name for name in _LABELS if name in made and name in files]
        made |= {name: _with_columns_of(files[name], made[name]) for name in labels}
        made[GUIDELINE] = _earlier_guideline(material, given.layout)
        notice = UNKNOWN_TERMS.encode()
        made = {name: content.replace(notice, _EARLIER_NOTICE) for name, content in made.items()}
    for name in sorted({*made, *files} - set(raw) - {MANIFEST, SUMS}):
        if name not in made:
            yield Fault(file=name, what="is no part of a bundle, though its hashes are listed")
        elif name not in files:
            yield Fault(file=name, what="is missing")
        elif made[name] != files[name]:
            if name.startswith(_PICTURES) and name.endswith((".svg", ".pdf")):
                notes.append(f"{name}: is drawn otherwise here; its figures are those of a table")
            elif _DRAWINGS.sub(b"", made[name]) == _DRAWINGS.sub(b"", files[name]):
                notes.append(f"{name}: its plots are drawn otherwise here, all else in it is the same")
            else:
                yield Fault(file=name, what=_first_difference(made[name], files[name]))


def _laid_out(name: str) -> bool:
    """Whether the layout of a file differs in earlier versions."""
    return name in _LAID_OUT or (name.startswith(f"{REPORT}/") and name.endswith((".md", ".tex")))


def _with_columns_of(given: bytes, made: bytes) -> bytes:
    """A table of labels without those later columns that the given one lacks."""
    held = given.partition(b"\n")[0].decode(errors="replace").rstrip("\r").split(",")
    head, *rows = csv.reader(io.StringIO(made.decode(), newline=""))
    kept = [at for at, name in enumerate(head) if name in held or name not in _LATER_COLUMNS]
    return csv_text([head[at] for at in kept], ([line[at] for at in kept] for line in rows)).encode()


def _earlier_guideline(material: StudyMaterial, layout: int) -> bytes:
    """The guideline of an earlier layout: the taxonomy's rules, in a study of any kind."""
    text = taxonomy_rules(material.taxonomy, guideline_version=material.tables.guideline_version).encode()
    for now, then in _EARLIER_WORDS if layout < _WITH_PICTURES else ():
        text = text.replace(now, then)
    return text


def _first_difference(made: bytes, given: bytes) -> str:
    lines = zip(made.split(b"\n"), given.split(b"\n"), strict=False)
    number = next((at for at, (one, other) in enumerate(lines, start=1) if one != other), None)
    where = f"line {number}" if number else "its length"
    return f"differs at {where} from what the raw rows make, though its hashes hold"


def _other_bank(files: Mapping[str, bytes], material: StudyMaterial) -> Iterator[Fault]:
    held, named = bundled_bank_sha256(files), material.tables.benchmark.get("bank_sha256")
    if held is not None and held != named:
        yield Fault(file=f"{TEMPLATES}/", what="are not the templates that the benchmark names by their hash")


def _other_archive(bundle: Unpacked) -> list[Fault]:
    """Faults outside the files: a changed name, time or checksum in the archive itself."""
    if bundle.archive is None or bundle.compressed or pack(bundle.files) == bundle.archive:
        return []
    what = "was changed or packed anew, though every file in it is whole; verify it unpacked"
    return [Fault(file="the archive itself", what=what)]
