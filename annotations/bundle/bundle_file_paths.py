"""The path of each file in a bundle."""

import re

MANIFEST, SUMS, README, GUIDELINE = "manifest.json", "SHA256SUMS", "README.md", "guideline.md"
RAW, REPORT, TEMPLATES, OWN_GUIDELINE = "raw", "report", "templates", "guideline"
"""Folders of a bundle; the last one holds the study's own guideline, unchanged."""
AUDIT = "audit"
ANCHOR, ANCHOR_KEY = f"{AUDIT}/anchor.json", f"{AUDIT}/public-key.pem"
"""The signed last hashes of the audit log when the bundle was made, and the key that verifies them."""
STUDY, TAXONOMY = f"{RAW}/study.json", f"{RAW}/taxonomy.yaml"
FIGURES = f"{REPORT}/report.json"
LINES = (
    *("instances", "generations", "scores", "inclusions", "annotations", "contests"),
    *("adjudications", "invalidations", "rulings", "suggestions", "criteria"),
)
"""The parts of StudyTables that have a file with one line per row; the rest is in `study.json`."""

LATER = frozenset({"rulings", "criteria"})
"""The parts that bundles of earlier versions lack."""

_GIVEN = re.compile(rf"({RAW}|{TEMPLATES}|{OWN_GUIDELINE}|{AUDIT})/.+")


def lines_path(part: str) -> str:
    """Path of the raw file of one of the parts in `LINES`."""
    return f"{RAW}/{part}.jsonl"


def is_raw(name: str) -> bool:
    """Whether a file belongs to the raw half; all others are derived from it."""
    return _GIVEN.fullmatch(name) is not None
