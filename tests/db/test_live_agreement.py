"""Figures of a study as it stands, from as few rows as they take."""

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.agreement.study_agreement import study_agreement
from clinicnum.db.engine import reading, writing
from clinicnum.db.work.studies.labels_for_agreement import count_saved, load_labels, study_names, study_state
from clinicnum.db.work.studies.load_whole_study import (
    load_annotations,
    load_study_agreement,
    load_study_tables,
)
from clinicnum.db.work.studies.study_lifecycle import close_study, find_study, taxonomy_of_study
from clinicnum.errors import InputError
from clinicnum.scripts.commands.common.simulated_annotators import add_simulated, label_study
from clinicnum.types import Suggestion
from tests.db.examples import BLIND, FAILURE, add_users, material, open_study
from tests.db.test_annotate import FINE, first, save, submit

ROBOTS = ("simulated-1", "simulated-2", "simulated-3")


def check_against_every_row(engine: Engine, name: str) -> None:
    """The figures are those of all revisions with the subjects and templates of whole instances."""
    with reading(engine) as session:
        tables = load_study_tables(session, name)
        instances = {one.instance_id: one for one in tables.instances}
        of = {one.generation_id: instances[one.instance_id] for one in tables.generations}
        study_id = find_study(session, name).id
        whole = study_agreement(
            load_annotations(session, study_id),
            taxonomy_codes=taxonomy_of_study(session, study_id=study_id).codes(),
            subjects={key: one.subject_id for key, one in of.items()},
            templates={key: one.template_id for key, one in of.items()},
            weights={one.generation_id: 1 / one.probability for one in tables.inclusions},
            details=True,
        )
        assert load_study_agreement(session, name, details=True).agreement == whole
        view = load_labels(session, name)
    plain = [layer.result and layer.result.coefficients for layer in view.plain.layers]
    assert plain == [layer.result and layer.result.coefficients for layer in whole.layers]


def test_last_revisions_give_the_figures_of_all_revisions(engine: Engine) -> None:
    add_simulated(engine, ROBOTS)
    open_study(engine, material(wrong=12, right=5), annotators=ROBOTS)
    label_study(engine, "six", error_rate=0.3, seed=0)
    check_against_every_row(engine, "six")


def test_a_revision_before_the_suggestions_counts_and_one_begun_does_not(engine: Engine) -> None:
    users = add_users(engine, ("p0", "p1"))
    made = material(wrong=4)
    suggestions = tuple(
        Suggestion(generation_id=one.generation_id, code="omission", rule="r", rank=1, sentence="So it is.")
        for one in made.generations()
    )
    with_suggestions = type(made)(made.benchmark_meta, made.instances, made.runs, made.scores, suggestions)
    open_study(engine, with_suggestions, annotators=("p0", "p1"), overlap=2, suggestions="after_judgement")
    for user in users:
        for _ in range(3):
            item = save(engine, user.user_id, first(engine, user.user_id), FINE.without_reference())
            submit(engine, user.user_id, item, FAILURE)
        save(engine, user.user_id, first(engine, user.user_id), BLIND)
    check_against_every_row(engine, "six")
    with reading(engine) as session:
        chosen = load_labels(session, "six").chosen
    assert {one.revision for one in chosen.annotations} == {1}
    assert [(one.n, one.why) for one in chosen.left_out] == [(2, "incomplete: never submitted whole")]


def test_the_state_counts_items_that_all_their_annotators_have_judged(engine: Engine) -> None:
    users = add_users(engine, ("p0", "p1"))
    references = {f"run-of-llama-g{number}": FAILURE for number in range(2)}
    open_study(
        engine, material(wrong=6), annotators=("p0", "p1"), overlap=2, controls=2, references=references
    )
    for user, items in zip(users, (6, 3), strict=True):
        for _ in range(items):
            submit(engine, user.user_id, first(engine, user.user_id), FINE)
    with reading(engine) as session:
        state = study_state(session, "six")
        view = load_labels(session, "six")
        assert count_saved(session, "six") == state.saved == 9
    assert (state.items, state.overlap, state.status) == (4, 2, "open")
    both = [group for group in view.chosen.by_generation.values() if len(group) == 2]
    assert state.filled == len(both) > 0
    assert {one.annotator: (one.response.value, one.response.n) for one in view.controls}
    assert all(one.response.value == 0 for one in view.controls)


def test_studies_that_go_on_come_before_those_that_are_closed(engine: Engine) -> None:
    add_users(engine)
    for name in ("a", "b", "c"):
        open_study(engine, name=name)
    with writing(engine) as session:
        close_study(session, name="a")
    with reading(engine) as session:
        assert study_names(session, user_id="nobody") == (("b", "open"), ("c", "open"), ("a", "closed"))


def test_an_unknown_study_is_named(engine: Engine) -> None:
    with reading(engine) as session:
        for ask in (study_state, count_saved, load_labels):
            with pytest.raises(InputError, match="no study 'nowhere'"):
                ask(session, "nowhere")
        assert study_names(session, user_id="nobody") == ()


def test_a_study_without_a_judgement_has_every_layer_and_no_figure(engine: Engine) -> None:
    add_users(engine)
    open_study(engine)
    with reading(engine) as session:
        view = load_labels(session, "six")
    assert {layer.undefined for layer in view.plain.layers} == {
        "no judgement yet",
        "no item was called a failure by all",
    }
    assert view.controls == ()
