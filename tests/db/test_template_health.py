"""The health of templates: counted from what is there, kept until something changes."""

from dataclasses import replace

import numpy as np
import pytest
from sqlalchemy import Engine, select

from clinicnum.annotations.curation.item_statistics import item_statistics
from clinicnum.annotations.curation.template_health import Health
from clinicnum.authoring.template_trial import try_template
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import TemplateHealthRow
from clinicnum.db.work.bank import template_health, template_versions
from clinicnum.db.work.runs import stored_runs
from tests.db.curating import TEMPLATES, add_graded, asked, closed_study, is_right, of_the_bank, upheld


def counted(engine: Engine, template: str = TEMPLATES[0]) -> Health:
    """The figures kept after counting anew."""
    with writing(engine) as session:
        template_health.store_health(session, template_health.compute_health(session))
    with reading(engine) as session:
        assert not template_health.is_stale(session)
        row = session.get(TemplateHealthRow, (template, 1))
        assert row is not None
        return Health.model_validate(row.payload)


def test_accuracy_and_separation_are_those_of_the_runs(engine: Engine) -> None:
    add_graded(engine, 12)
    found = [counted(engine, template) for template in TEMPLATES]
    right = np.array(
        [[sum(is_right(run, 4 * t + k) for k in range(4)) for t in range(3)] for run in range(12)]
    )
    expected = item_statistics(right, np.full_like(right, 4))
    for at, (one, statistic) in enumerate(zip(found, expected, strict=True)):
        assert (one.instances, one.flagged, one.variants, one.labelled) == (4, 0, 0, 0)
        assert one.accuracy == pytest.approx(right[:, at].mean() / 4)
        assert sorted(run.right for run in one.runs) == sorted(right[:, at])
        assert one.discrimination.runs == 12
        assert one.discrimination.slope == pytest.approx(statistic.slope)
        assert one.discrimination.item_total == pytest.approx(statistic.item_total)


def test_variants_and_flagged_instances_do_not_count_and_under_ten_runs_the_number_is_said(
    engine: Engine,
) -> None:
    plain = asked(each=4)
    changed = [
        plain[0].model_copy(update={"variant": "numeric.relevant"}),
        plain[1].model_copy(update={"flags": ("count_zero",)}),
        *plain[2:],
    ]
    add_graded(engine, 9, changed)
    found = counted(engine)
    assert (found.instances, found.variants, found.flagged, found.flagged_share) == (4, 1, 1, 1 / 3)
    assert {run.asked for run in found.runs} == {2}
    known = found.discrimination
    assert (known.slope, known.said) == (None, "not enough runs: 9 of the 10 needed")


def test_another_score_of_the_same_answers_and_a_new_run_are_noticed(engine: Engine) -> None:
    made = add_graded(engine, 2)
    before = counted(engine)
    turned = [one.model_copy(update={"status": "correct", "lenient": True}) for one in made.scores]
    with writing(engine) as session:
        stored_runs.add_runs(session, material=replace(made, scores=tuple(turned)))
    with reading(engine) as session:
        assert template_health.is_stale(session)
    assert counted(engine).accuracy == 1
    assert before.accuracy != 1


def test_labels_and_contests_are_counted_and_what_was_taken_out_is_not(engine: Engine) -> None:
    upheld(engine)
    found = counted(engine)
    assert (found.instances, found.labelled, found.contested, found.contest_rate) == (1, 1, 1, 1.0)
    assert (found.open, found.upheld, found.rejected, found.taken_out) == (0, 1, 0, 1)
    assert (found.runs, found.accuracy) == ((), None)
    assert list(found.labels.values()) == [3]


def test_labels_without_a_contest_have_a_rate_of_none_contested(engine: Engine) -> None:
    closed_study(engine)
    found = counted(engine)
    assert (found.labelled, found.contested, found.contest_rate) == (2, 0, 0.0)
    assert sum(found.labels.values()) == 6


def test_a_trial_is_kept_when_the_rest_is_counted_anew(engine: Engine) -> None:
    with writing(engine) as session:
        template_versions.add_templates(session, of_the_bank())
        template = template_versions.template_of(template_versions.find_version(session, TEMPLATES[0], 1))
        assert not template_health.is_stale(session)
        assert template_health.is_cheap(session)
        assert template_health.store_health(session, template_health.compute_health(session)) == 0
    trial = try_template(template, sample=20)
    with writing(engine) as session:
        template_health.store_trial(session, (template.id, 1), trial)
    with reading(engine) as session:
        assert template_health.is_stale(session)
    found = counted(engine)
    assert found.trial is not None
    assert (found.trial.taken, found.trial.holds, found.instances) == (20, True, 0)
    with writing(engine) as session:
        template_health.store_trial(session, (template.id, 1), trial.model_copy(update={"holds": False}))
    kept = counted(engine).trial
    assert kept is not None
    assert not kept.holds
    with reading(engine) as session:
        assert len(session.scalars(select(TemplateHealthRow)).all()) == 1
