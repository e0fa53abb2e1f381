"""A bank release: templates, evidence and history as plain files that anyone can check."""

from clinicnum.templates.release.checking import check_folder, is_release, read_release
from clinicnum.templates.release.facts import Evidence, Manifest, Origin, Release, ReleaseFault, ScaleEvidence
from clinicnum.templates.release.making import Included, Wanted, make_release

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
