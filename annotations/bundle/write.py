"""Write a study as the files of a bundle."""

from collections.abc import Mapping

from clinicnum.annotations.bundle.derived_files import about, derived_files
from clinicnum.annotations.bundle.manifest import with_hashes
from clinicnum.annotations.bundle.raw_files import StudyMaterial, raw_files
from clinicnum.annotations.report.build import build_report


def bundle_files(
    material: StudyMaterial, *, generated_by: str, given: Mapping[str, bytes] | None = None
) -> dict[str, bytes]:
    """All files of a bundle, including its hashes; the same study gives the same bytes.

    `given` are files included unchanged: templates, and the study's own guideline. Raises InputError if the
    study's rows do not fit together.
    """
    report = build_report(material.tables, generated_by=generated_by)
    raw = raw_files(material) | dict(given or {})
    files = raw | derived_files(material, report, raw)
    return with_hashes(files, about(material, report))
