"""Releases made for tests: a few templates of the base bank, one of them validated."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from clinicnum.release import (
    Evidence,
    IncludedTemplate,
    Origin,
    ReleaseDescription,
    ScaleEvidence,
    make_release,
)
from clinicnum.release.manifest import content_sha256
from clinicnum.templates.bank import load_bank
from clinicnum.templates.template import Template

PULSE = "arithmetic.pulse_pressure"
TAKEN = ("aggregation.tachycardia", PULSE, "arithmetic.shock_index", "retrieval.heart_rate")
ORIGIN = Origin(study="six", generation="g0", kind="contest", contest="c0")


@cache
def bank() -> dict[str, Template]:
    return {one.id: one for one in load_bank()}


EVIDENCE = Evidence(
    round=1,
    experts=3,
    scales=dict.fromkeys(
        ("clarity", "relevance", "answerability"), ScaleEvidence(agreeing=3, i_cvi=1.0, modified_kappa=1.0)
    ),
    s_cvi_ave=1.0,
    worked=9,
    worked_matched=9,
    trial={"structured": 200, "templated": 200, "note": 200},
    reviewed=content_sha256(bank()[PULSE]),
)


def included(*taken: str, validated: str = PULSE, evidence: Evidence = EVIDENCE) -> list[IncludedTemplate]:
    """Templates of the base bank; the one in `validated` is called so and came from a failure."""
    found = []
    for name in taken or TAKEN:
        template = bank()[name]
        if name == validated:
            template = template.model_copy(update={"status": "validated"})
            found.append(IncludedTemplate(template, evidence, (ORIGIN,)))
        else:
            found.append(IncludedTemplate(template))
    return found


def made(name: str = "ward-1", *taken: str) -> dict[str, str]:
    return make_release(included(*taken), ReleaseDescription(name=name, notes="To begin with."))


def write(folder: Path, files: Mapping[str, str]) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    return folder
