"""The guideline and the taxonomy that a study opens with, and those that an earlier release stored."""

from dataclasses import replace

import pytest
from sqlalchemy import Engine, select

from clinicnum.annotations.guideline import default_guideline
from clinicnum.annotations.study_design import Design, Filter
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.taxonomy import Taxonomy, load_taxonomy
from clinicnum.annotations.types import StudySummary
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import GuidelineRow, TaxonomyRow
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.db.work.studies.load_study_for_bundle import load_study_material
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.errors import InputError
from clinicnum.taxonomy_codes import OTHER_QUESTION
from tests.db.examples import add_users, material, open_study, with_suggestion


def _create(
    engine: Engine, name: str, made: Material, taxonomy: Taxonomy, guideline: str = ""
) -> StudySummary:
    with writing(engine) as session:
        return study_lifecycle.create_study(
            session,
            name=name,
            material=made,
            annotators=["ann"],
            design=Design(overlap=1, suggestions="shown"),
            seed=0,
            taxonomy=taxonomy,
            guideline=guideline,
        )


def test_a_study_without_a_guideline_gets_the_default_one_as_version_0(engine: Engine) -> None:
    add_users(engine)
    without = _create(engine, "without", material(), load_taxonomy())
    with_one = _create(engine, "with one", material(run_id="second"), load_taxonomy(), "# Look\r\n")
    assert (without.guideline_version, with_one.guideline_version) == ("0", "1")
    with reading(engine) as session:
        texts = {row.version: row.text for row in session.scalars(select(GuidelineRow))}
        shown = {
            name: load_study_tables(session, name).guideline_examples for name in ("without", "with one")
        }
    assert texts == {0: default_guideline(load_taxonomy()), 1: "# Look"}
    assert shown == {"without": False, "with one": False}


def test_the_tables_of_a_study_tell_whether_its_guideline_shows_answers_of_its_runs(engine: Engine) -> None:
    add_users(engine)
    made = material(wrong=2)
    first, second = made.scores
    unanswered = replace(made, scores=(first, second.model_copy(update={"status": "truncated"})))
    with writing(engine) as session:
        study_lifecycle.create_study(
            session,
            name="of whole answers",
            material=unanswered,
            annotators=["ann"],
            design=Design(where=Filter(statuses=("incorrect",)), overlap=1),
            seed=0,
            taxonomy=load_taxonomy(),
        )
        assert load_study_tables(session, "of whole answers").guideline_examples is True


def test_version_1_opens_on_what_an_earlier_release_stored_and_takes_no_code_of_version_2(
    engine: Engine,
) -> None:
    old = load_taxonomy(version="1")
    payload = old.model_dump(mode="json") | {"order": [step.name for step in old.order]}
    for one in (*payload["severities"], *payload["classes"], *payload["classes"][0]["sub_classes"]):
        for name in ("plain", "step"):
            one.pop(name, None)
    add_users(engine)
    with writing(engine) as session:
        session.add(TaxonomyRow(id=old.id, version=old.version, payload=payload))
    made = material()
    first, second = made.scores[0].generation_id, made.scores[1].generation_id
    both = replace(
        made,
        suggestions=(
            *with_suggestion(made, first, OTHER_QUESTION).suggestions,
            *with_suggestion(made, second, "omission.missed_step").suggestions,
        ),
    )
    made = {"1": _create(engine, "old", both, old), "2": _create(engine, "new", both, load_taxonomy())}
    assert {version: one.taxonomy_version for version, one in made.items()} == {"1": "1", "2": "2"}
    with reading(engine) as session:
        assert session.get_one(TaxonomyRow, (old.id, "1")).payload == payload
        suggested = {
            version: {one.code for one in load_study_material(session, one.name).tables.suggestions}
            for version, one in made.items()
        }
    assert suggested == {"1": {"omission.missed_step"}, "2": {"omission.missed_step", OTHER_QUESTION}}


def test_a_changed_taxonomy_needs_a_new_version(engine: Engine) -> None:
    add_users(engine)
    open_study(engine, name="one")
    changed = load_taxonomy().model_copy(update={"classes": load_taxonomy().classes[1:]})
    with (
        pytest.raises(InputError, match="taxonomy clinical-numeracy 2 is in the database already"),
        writing(engine) as session,
    ):
        study_lifecycle.create_study(
            session,
            name="two",
            material=material(),
            annotators=["ann"],
            design=Design(overlap=1),
            seed=0,
            taxonomy=changed,
        )


def test_the_taxonomy_comes_back_as_it_was(engine: Engine) -> None:
    add_users(engine)
    summary = open_study(engine)
    with reading(engine) as session:
        assert study_lifecycle.taxonomy_of_study(session, study_id=summary.study_id) == load_taxonomy()
