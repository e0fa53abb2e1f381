"""The small made-up study as a bundle, and what is said of one that was changed."""

from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from clinicnum.annotations.adjudication import Adjudication
from clinicnum.annotations.bundle.archive import Unpacked
from clinicnum.annotations.bundle.bundle_file_paths import FIGURES, MANIFEST, SUMS
from clinicnum.annotations.bundle.derived_files import about
from clinicnum.annotations.bundle.manifest import with_hashes
from clinicnum.annotations.bundle.raw_files import StudyMaterial, StudySettingsAndState
from clinicnum.annotations.bundle.verify import Verification, verify_bundle
from clinicnum.annotations.bundle.write import bundle_files
from clinicnum.annotations.exports.report_files import read_report
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.report.study_tables import CodeName, StudyTables
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.annotations.types import Invalidation
from clinicnum.types import Cell, Suggestion
from tests.annotations.report_example import study

MAKER = "clinicnum test"
OLD = Path(__file__).parents[1] / "data/bundles/layout-1.zip"
"""The example's bundle as the version before the report's present layout wrote it, packed anew."""


def material(*, source: str = "synthetic") -> StudyMaterial:
    """The study under the whole built-in taxonomy, with a suggestion."""
    taxonomy = load_taxonomy()
    codes = tuple(CodeName(code=code, name=taxonomy.find(code).name) for code in taxonomy.codes())
    plain = study(source=source)
    tables = plain.model_copy(update={"taxonomy_codes": codes, **_decided(plain)})
    suggestion = Suggestion(
        generation_id=tables.generations[1].generation_id,
        code="contextual_inconsistency.wrong_record",
        rule="wrong_record",
        spans=((4, 14),),
        cells=(Cell(record=1, vital="heart_rate_bpm"),),
        rank=1,
        sentence="It is the heart rate an hour later.",
    )
    tables = tables.model_copy(update={"suggestions": (suggestion,)})
    opened = StudySettingsAndState(
        status="closed",
        include="all",
        seed=7,
        suggestion_policy="hidden",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        closed_at=datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC),
    )
    return StudyMaterial(tables=tables, taxonomy=taxonomy, opened=opened)


def _decided(tables: StudyTables) -> dict[str, Any]:
    """A decision on the first generation that was judged, and one instance that is out."""
    settled = [one for one in tables.annotations if one.generation_id == tables.annotations[0].generation_id]
    decision = Adjudication(
        adjudication_id="d1",
        study_id="example",
        generation_id=settled[0].generation_id,
        adjudicator_id="J1",
        judgement=Judgement(
            item_judgement="valid",
            response_judgement="failure",
            labels=(Label(code="omission", primary=True),),
            severity="1",
        ),
        taken_over=False,
        cites=tuple(one.annotation_id for one in settled),
        stands=True,
        taxonomy_version="1",
        created_at=datetime(2026, 1, 2, tzinfo=UTC),
    )
    out = Invalidation(
        instance_id=tables.instances[0].instance_id, contest_id="c1", rule="V2.tie", reason="a tie"
    )
    return {"adjudications": (decision,), "invalidations": (out,)}


@cache
def made() -> dict[str, bytes]:
    """Its files, with a guideline of its own."""
    own = {"guideline/rules.txt": b"Judge what is written, not what was meant.\n"}
    return bundle_files(material(), generated_by=MAKER, given=own)


def files() -> dict[str, bytes]:
    """A fresh copy of `made`, to be changed."""
    return dict(made())


def verified(changed: dict[str, bytes]) -> Verification:
    """What `verify` says of these files."""
    return verify_bundle(Unpacked(changed), generated_by=MAKER)


def rehashed(changed: dict[str, bytes]) -> dict[str, bytes]:
    """As somebody who covers a change up would do it."""
    content = {name: data for name, data in changed.items() if name not in (MANIFEST, SUMS)}
    return with_hashes(content, said_of_the_whole())


@cache
def said_of_the_whole() -> dict[str, Any]:
    return about(material(), read_report(made()[FIGURES], FIGURES))


def flipped(content: bytes, at: int) -> bytes:
    """With one bit changed."""
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :] if content else b"x"
