"""Templates and releases brought into a database from files: what they become, and what is refused."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import Session, col

from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import TemplateRow
from clinicnum.db.work.release.bank_import import import_release, import_templates
from clinicnum.db.work.release.releases import ReleaseOptions, list_releases, load_release
from clinicnum.db.work.release.template_readiness import askable_templates
from clinicnum.db.work.release.template_trace import trace_template
from clinicnum.errors import Conflict
from clinicnum.release import IncludedTemplate, ReleaseDescription, ScaleEvidence, make_release, read_release
from clinicnum.release.manifest import VALIDATION
from clinicnum.templates.packaged_banks import named_bank
from tests.clinicnum.releasing import EVIDENCE, ORIGIN, PULSE, included, made, write
from tests.db.publishing import ME, publish, stock, version_two


@pytest.fixture
def stocked(engine: Engine) -> Engine:
    """The banks that come with the program."""
    return stock(engine)


def test_what_a_file_calls_validated_enters_unreviewed_and_a_draft_does_not(stocked: Engine) -> None:
    other = version_two("retired").model_copy(update={"version": 3})
    first = next(one for one in named_bank("base") if one.id == PULSE)
    with writing(stocked) as session:
        brought = import_templates(session, [first, version_two("validated"), other], actor=ME)
        left_out = import_templates(
            session, [first, version_two("draft").model_copy(update={"version": 4})], actor=ME
        )
    assert [(one.version, one.status, one.new) for one in brought] == [
        (1, "unreviewed", False),
        (2, "unreviewed", True),
        (3, "retired", True),
    ]
    assert brought[1].said == "unreviewed: it is called validated, but comes without evidence"
    assert left_out[1].said == "left out: a draft is not for a bank"
    with writing(stocked) as session, pytest.raises(Conflict, match="other content"):
        import_templates(session, [version_two(wording="What else at {time}?")], actor=ME)
    with reading(stocked) as session:
        newest = {one.id: one.version for one in askable_templates(session)}
        assert newest[PULSE] == 2


def test_a_copy_and_an_unchanged_new_version_are_not_imported(stocked: Engine) -> None:
    first = next(one for one in named_bank("base") if one.id == PULSE)
    said = "version {} of " + PULSE + " says just the same"
    for changes in ({"version": 2}, {"id": f"{PULSE}.copy"}):
        other = first.model_copy(update=changes)
        with writing(stocked) as session, pytest.raises(Conflict, match=said.format(1)):
            import_templates(session, [other], actor=ME)
    twins = [version_two("unreviewed").model_copy(update={"version": n}) for n in (2, 3)]
    with writing(stocked) as session, pytest.raises(Conflict, match=said.format(2)):
        import_templates(session, twins, actor=ME)


def test_a_release_brings_its_validated_templates_and_their_evidence(engine: Engine, tmp_path: Path) -> None:
    release = read_release(write(tmp_path / "ward-1", made()))
    with writing(engine) as session:
        brought = import_release(session, release, actor=ME)
        assert {one.template_id: one.status for one in brought}[PULSE] == "validated"
        again = import_release(session, release, actor=ME)
        assert not any(one.new for one in again)
        mine = publish(session, ReleaseOptions(name="mine-1"), actor=ME)
    (entry,) = mine.manifest.templates
    assert (entry.id, entry.reviewed_by, entry.origins) == (PULSE, EVIDENCE.experts, (ORIGIN,))
    assert '"worked_matched": 9' in mine.files[VALIDATION]
    with reading(engine) as session:
        assert load_release(session, "ward-1").files == release.files
        (version,) = trace_template(session, PULSE).versions
    assert [name for name, _ in version.releases] == ["ward-1", "mine-1"]
    assert version.origins == (ORIGIN,)


WEAK: dict[str, tuple[dict[str, Any], str]] = {
    "one expert": ({"experts": 1}, "it was reviewed by 1, and 3 to 10 experts are needed"),
    "an expert who disagrees": (
        {
            "scales": {
                **EVIDENCE.scales,
                "clarity": ScaleEvidence(agreeing=2, i_cvi=0.667, modified_kappa=0.5),
            }
        },
        "a scale is not rated 3 or 4 by enough experts",
    ),
    "a scale that nobody rated": (
        {"scales": {"clarity": EVIDENCE.scales["clarity"]}},
        "a scale is not rated 3 or 4 by enough experts",
    ),
    "a low average": ({"s_cvi_ave": 0.89}, "S-CVI/Ave is below 0.90"),
    "an answer that is not the gold": ({"worked_matched": 8}, "not every worked instance matches the gold"),
    "nothing worked": ({"worked": 0, "worked_matched": 0}, "not every worked instance matches the gold"),
    "a trial of notes missing": (
        {"trial": {"structured": 200, "templated": 200}},
        "the validity rules were not tried on 200 instances",
    ),
    "other content reviewed": ({"reviewed": "0" * 64}, "its experts reviewed other content"),
}


def test_a_release_whose_evidence_does_not_meet_the_rule_brings_unreviewed_templates(
    engine: Engine, tmp_path: Path
) -> None:
    for case, (weak, why) in WEAK.items():
        files = make_release(
            included(evidence=EVIDENCE.model_copy(update=weak)), ReleaseDescription(name=f"w-{len(case)}")
        )
        release = read_release(write(tmp_path / case, files))
        with Session(engine) as session:
            brought = {one.template_id: one for one in import_release(session, release, actor=ME)}
            (status,) = session.scalars(
                select(col(TemplateRow.status)).where(col(TemplateRow.template_id) == PULSE)
            )
            session.rollback()
        assert (brought[PULSE].status, status) == ("unreviewed", "unreviewed"), case
        assert why in brought[PULSE].said, case
        assert [one.template_id for one in brought.values() if one.doubted] == [PULSE], case


def test_a_later_release_does_not_put_other_evidence_in_the_place_of_the_first(
    engine: Engine, tmp_path: Path
) -> None:
    forged = EVIDENCE.model_copy(update={"experts": 9, "worked": 1, "worked_matched": 0})
    for name, evidence in (("ward-1", EVIDENCE), ("ward-2", forged)):
        files = make_release(included(evidence=evidence), ReleaseDescription(name=name))
        with writing(engine) as session:
            import_release(session, read_release(write(tmp_path / name, files)), actor=ME)
    with writing(engine) as session:
        (entry,) = publish(session, ReleaseOptions(name="mine-1")).manifest.templates
    assert entry.reviewed_by == EVIDENCE.experts


def test_another_release_under_a_name_that_is_here_is_refused_whole(engine: Engine, tmp_path: Path) -> None:
    with writing(engine) as session:
        import_release(session, read_release(write(tmp_path / "one", made())), actor=ME)
    other = make_release(
        [*included(PULSE), IncludedTemplate(named_bank("base")[0])], ReleaseDescription(name="ward-1")
    )
    with writing(engine) as session, pytest.raises(Conflict, match="is here with other content"):
        import_release(session, read_release(write(tmp_path / "two", other)), actor=ME)
    with reading(engine) as session:
        assert len(list_releases(session)) == 1
