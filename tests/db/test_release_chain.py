"""What holds a release up, and what can be said of a template once models have answered it."""

import pytest
from sqlalchemy import Engine, select, update

from clinicnum.annotations.consequences_of_upholding import consequences
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import ContestRow, InstanceRow, InvalidationRow, StudyRow
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.release.bank_regression import regress_stored, scored_benchmarks
from clinicnum.db.work.release.releases import ReleaseOptions, plan_release
from clinicnum.db.work.release.template_readiness import template_readiness
from clinicnum.db.work.release.template_trace import trace_template
from clinicnum.db.work.studies import load_study_for_bundle
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.errors import Conflict, InputError
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.template import Template
from tests.db.adjudicating import decide_all
from tests.db.curating import upheld
from tests.db.examples import MODEL, add_users, open_study
from tests.db.publishing import publish
from tests.db.test_annotate import first, submit
from tests.db.test_contests import AMBIGUOUS, answered, sums

SUM = "arithmetic.bp_sum"
ME = "command line"


@pytest.fixture
def contested(engine: Engine) -> Engine:
    """The bank, a model that is wrong on six instances of one template, and one open contest."""
    with writing(engine) as session:
        template_versions.add_packaged_templates(session)
    (ann, *_) = add_users(engine)
    open_study(engine, answered(sums(), {"tiny": False}))
    submit(engine, ann.user_id, first(engine, ann.user_id), AMBIGUOUS)
    return engine


def test_a_template_with_an_open_contest_stops_a_release_until_it_is_left_out_or_decided(
    contested: Engine,
) -> None:
    order = ReleaseOptions(name="all-1", include_unreviewed=True)
    with reading(contested) as session:
        with pytest.raises(
            Conflict, match=rf"nothing was published: {SUM} version 1 has an open contest in study six"
        ):
            plan_release(session, order)
        (blocking,) = [one for one in template_readiness(session, include_unreviewed=True) if one.blocks]
        assert (blocking.template_id, blocking.ready) == (SUM, False)
        without = plan_release(
            session, ReleaseOptions(name="all-1", include_unreviewed=True, leave_out=(SUM,))
        )
    assert SUM not in {one.id for one in without.manifest.templates}
    with writing(contested) as session:
        session.scalars(select(ContestRow)).one().status = "rejected"
        session.flush()
        assert SUM in {one.id for one in publish(session, order, actor=ME).manifest.templates}


def test_a_trace_ends_at_the_figure_that_rests_on_the_template(contested: Engine) -> None:
    with reading(contested) as session:
        (version,) = trace_template(session, SUM).versions
    assert (version.draft, version.rounds, version.origins) == (None, (), ())
    (benchmark,) = version.benchmarks
    assert (benchmark.release, benchmark.instances) == (None, 6)
    (run,) = benchmark.runs
    assert (run.run_id, run.accuracy.value, run.accuracy.n) == ("tiny", 0.0, 6)
    assert [(one.name, one.accuracy.n) for one in run.studies] == [("six", 6)]


def test_the_bank_is_tried_on_stored_runs_and_says_which_instances_contests_took_out(
    contested: Engine,
) -> None:
    with writing(contested) as session:
        contest = session.scalars(select(ContestRow)).one()
        row = session.scalars(select(InstanceRow).order_by(InstanceRow.position)).first()  # type: ignore[arg-type]
        assert row is not None
        session.add(
            InvalidationRow(
                study_id=contest.study_id,
                instance=row.id,
                contest=contest.annotation_id,
                rule="by hand: group",
                reason="two readings",
                created_at=contest.created_at,
            )
        )
    with reading(contested) as session:
        (benchmark,) = scored_benchmarks(session)
        same = regress_stored(session, named_bank("base"), benchmark_id=benchmark)
        gone = regress_stored(
            session, [one for one in named_bank("base") if one.id != SUM], benchmark_id=benchmark
        )
        with pytest.raises(
            InputError, match=f"no scored run on benchmark 'none'; there are runs on: {benchmark}"
        ):
            regress_stored(session, named_bank("base"), benchmark_id="none")
        (version,) = trace_template(session, SUM).versions
    (traced,) = version.benchmarks[0].runs
    assert (traced.accuracy.n, [one.accuracy.n for one in traced.studies]) == (5, [5])
    assert same.kinds == {"contested": 1, "same": 5}
    assert same.changes[0].why == "two readings (by hand: group)"
    assert gone.kinds == {"contested": 1, "withdrawn": 5}
    (effect,) = gone.effects
    assert (effect.before.n, effect.without_removed.n, effect.after.value) == (6, 0, None)


def test_a_contest_on_a_template_of_ones_own_is_tested_by_what_the_bank_says_of_it() -> None:
    content = next(one for one in named_bank("base") if one.id == SUM).model_dump(mode="json")
    own = Template.model_validate({**content, "id": "arithmetic.own_sum"})
    asked = [one.model_copy(update={"template_id": own.id}) for one in sums()]
    wrong = asked[0].model_copy(update={"answer": "7"})
    given = {"scope": "group", "framed": False}
    known = consequences(wrong, [wrong, *asked[1:]], template=own, **given)  # type: ignore[arg-type]
    assert "V3.answer" in {one.rule for one in known.faults}
    assert [one.instance.instance_id for one in known.taken] == [wrong.instance_id]
    unknown = consequences(wrong, [wrong, *asked[1:]], **given)  # type: ignore[arg-type]
    assert unknown.faults == ()


def test_a_bundle_takes_the_release_that_its_benchmark_names(engine: Engine) -> None:
    with writing(engine) as session:
        template_versions.add_packaged_templates(session)
        made = publish(session, ReleaseOptions(name="all-1", include_unreviewed=True), actor=ME)
    add_users(engine)
    material = answered(sums(), {"tiny": False})
    named = {"name": "all-1", "sha256": made.manifest.sha256, "templates": {}}
    material.benchmark_meta["bank_release"] = named
    open_study(engine, material)
    with reading(engine) as session:
        assert load_study_for_bundle.load_released(session, "six") == made.files
        assert load_study_tables(session, "six").benchmark["bank_release"] == named


def test_what_every_contest_took_out_has_no_accuracy_in_the_trace(engine: Engine) -> None:
    upheld(engine)
    with reading(engine) as session:
        (version,) = trace_template(session, SUM).versions
    (run,) = version.benchmarks[0].runs
    (study,) = run.studies
    for found in (run.accuracy, study.accuracy):
        assert (found.value, found.undefined) == (None, "every question is contested")


def test_models_of_an_open_study_are_masked_in_a_regression_until_it_is_closed(engine: Engine) -> None:
    people = upheld(engine)
    with reading(engine) as session:
        (benchmark,) = scored_benchmarks(session)
        masked = regress_stored(session, named_bank("base"), benchmark_id=benchmark)
    with writing(engine) as session:
        session.execute(update(StudyRow).values(status="closed"))
    decide_all(engine, people["ada"])
    with reading(engine) as session:
        told = regress_stored(session, named_bank("base"), benchmark_id=benchmark)
    assert [one.model for one in masked.effects] == ["Model 1"]
    assert [one.model for one in told.effects] == [MODEL]
