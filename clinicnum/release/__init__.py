"""Releases of the bank: templates, evidence and history as plain files that anyone can check."""

from clinicnum.release.check import check_folder, is_release, read_release
from clinicnum.release.make import IncludedTemplate, ReleaseDescription, make_release
from clinicnum.release.manifest import Evidence, Manifest, Origin, Release, ReleaseFault, ScaleEvidence

__all__ = [
    "Evidence",
    "IncludedTemplate",
    "Manifest",
    "Origin",
    "Release",
    "ReleaseDescription",
    "ReleaseFault",
    "ScaleEvidence",
    "check_folder",
    "is_release",
    "make_release",
    "read_release",
]
