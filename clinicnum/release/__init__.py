"""Releases of the bank: templates, evidence and history as plain files that anyone can check."""

from clinicnum.release.check import check_folder, is_release, read_release
from clinicnum.release.make import Included, Wanted, make_release
from clinicnum.release.manifest import Evidence, Manifest, Origin, Release, ReleaseFault, ScaleEvidence

__all__ = [
    "Evidence",
    "Included",
    "Manifest",
    "Origin",
    "Release",
    "ReleaseFault",
    "ScaleEvidence",
    "Wanted",
    "check_folder",
    "is_release",
    "make_release",
    "read_release",
]
