"""Tables on Dawid and Skene's model: checks of the fit, annotators' error rates, class shares, certainty."""

from collections import Counter
from itertools import pairwise

import numpy as np

from clinicnum.annotations.consensus import DawidSkene
from clinicnum.annotations.consensus.dawid_skene import probabilities
from clinicnum.annotations.report.report_content import Cell, Column, Table
from clinicnum.annotations.report.sections.annotator_table_helpers import Asked
from clinicnum.annotations.report.sections.dawid_skene_wording import (
    Models,
    either,
    listed,
    never_wrong,
    not_fitted,
    taken_for_truth,
    unnamed_said,
    withheld,
)
from clinicnum.annotations.report.study_view import StudyView

BANDS = (0.0, 0.5, 0.8, 0.95, 0.99, 1.0)
LISTED = 50
"""Most generations that a table lists."""
CLEAR = 0.01
"""Smaller differences in a check are rounding errors."""
ROUND = 1e-8
"""Smaller distances count as equal."""
DECIMALS = 6
"""Decimals of the model's figures; further ones may differ between machines."""


def model_tables(view: StudyView, questions: tuple[Asked, ...], models: Models) -> tuple[Table, ...]:
    """All tables on the model; of those that need a fit, none where nothing was fitted."""
    checks, classes = _checks(questions, models), _classes(view, questions, models)
    if all(one.model is None for one in models.values()):
        return checks, classes
    return (
        checks,
        _annotators(view, questions, models),
        classes,
        _certainty(questions, models),
        _uncertain(view, questions, models),
    )


def figure(value: float) -> float:
    """A figure of the model, rounded to decimals that are the same on every machine."""
    return round(float(value), DECIMALS)


def _checks(questions: tuple[Asked, ...], models: Models) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for question in questions:
        result = models[question.name]
        model = result.model
        if model is None:
            rows.append((question.title, *[None] * 7, result.undefined))
            continue
        classes = int((model.expected.sum(axis=(0, 2)) > 0).sum())
        free = probabilities(len(model.annotators), classes)
        rival = model.rival
        rows.append(
            (
                question.title,
                round(float(model.expected.sum())),
                free,
                f"{max(model.distance, ROUND):.0e}",
                round(model.boundary_pull, 3),
                0.0 if rival is None else round(rival.log_likelihood - model.log_likelihood, 3),
                0 if rival is None else rival.items,
                round(model.ambiguity, 2),
                _remark(model),
            )
        )
    return Table(
        id="dawid_skene_checks",
        caption="What was checked of Dawid and Skene's model",
        note="“Probabilities”: how many the model estimates from the labels. “Distance”: by how much a "
        "posterior (the probability of a label) may still be off the point at which the estimation stays. "
        "“Pull”: 0 where no probability of 0 should be above 0. “Higher”: by how much the best of eight "
        "other starts fits better (log-likelihood; 0: none does), “Other labels”: to how many generations it "
        "gives another label (if any, the model is withheld). “Ambiguity”: by how much posteriors differ "
        "between starts that fit equally well; 0 also where none does. Solutions that fit a little worse are "
        "not looked for. A boundary solution has probabilities of just 0: so few labels cannot tell 0 from "
        "small.",
        trace="annotations.csv: item_judgement, response_judgement, primary, generation_id, annotator_id",
        columns=(
            Column(key="question", label="Of"),
            Column(key="labels", label="Labels", kind="count"),
            Column(key="probabilities", label="Probabilities", kind="count"),
            Column(key="distance", label="Distance"),
            Column(key="pull", label="Pull", kind="number"),
            Column(key="higher", label="Higher", kind="number"),
            Column(key="other_labels", label="Other labels", kind="count"),
            Column(key="ambiguity", label="Ambiguity", kind="number"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
        value="labels",
    )


def _remark(model: DawidSkene) -> str | None:
    found = []
    if model.at_zero:
        sure = never_wrong(model)
        found.append(
            f"a boundary solution: {model.at_zero} {'probability' if model.at_zero == 1 else 'probabilities'}"
            " estimated as 0"
            + (f", {' and '.join(sure)} as never wrong" if sure else "")
            + ", so posteriors are surer than the labels allow"
        )
    if model.boundary_pull > CLEAR:
        found.append("a probability of 0 is not at its maximum")
    if model.rival is not None:
        found.append("another start ends higher")
    if model.ambiguity > CLEAR:
        found.append("the labels do not settle all posteriors")
    if model.exchangeable:
        found.append(
            f"{listed(model.exchangeable)} may be exchanged: a start that fits the labels as well gives "
            "them each other's place, and the votes do not tell which is right, so what is estimated of one "
            "of them alone is withheld"
        )
    return f"{'; '.join(found)}: read with care" if found else None


def _annotators(view: StudyView, questions: tuple[Asked, ...], models: Models) -> Table:
    rows: list[tuple[Cell, ...]] = []
    given = Counter(one.annotator_id for one in view.chosen.annotations)
    for question in questions:
        model = models[question.name].model
        for place, who in enumerate(model.annotators if model else ()):
            accuracy = model.accuracy(place) if model else None
            accuracy = None if accuracy is None else figure(accuracy)
            rows.append((question.title, who, given[who], accuracy))
    return Table(
        id="dawid_skene_annotators",
        caption="Annotators by Dawid and Skene's model",
        note="Unit: labels. “Right”: the share of an annotator's labels that is expected to name the true "
        "one; it rests on the model, in which the annotator's own labels have a part, and has no interval: "
        f"that would take a fit without each subject.{not_fitted(questions, models)}"
        f"{taken_for_truth(questions, models)}"
        f"{withheld(models, 'the share that names the true one is withheld there')}"
        f"{unnamed_said(questions, models, 'no share is shown')}",
        trace="annotations.csv: item_judgement, response_judgement, primary, generation_id, annotator_id",
        columns=(
            Column(key="question", label="Of"),
            Column(key="annotator", label="Annotator", kind="code"),
            Column(key="labels", label="Labels", kind="count"),
            Column(key="accuracy", label="Right", kind="share"),
        ),
        rows=tuple(rows),
    )


def _classes(view: StudyView, questions: tuple[Asked, ...], models: Models) -> Table:
    """Estimated class shares, with the shares among all labels given."""
    rows: list[tuple[Cell, ...]] = []
    for question in questions:
        model = models[question.name].model
        given = view.ballots[question.name].labels
        for place, label in enumerate(question.categories):
            share = given[label] / given.total() if given else None
            merged = model is None or label in model.exchangeable or label in model.unnamed
            prior = None if model is None or merged else figure(model.prior[place])
            if share or prior:
                rows.append((question.title, either(view, (label,)), given[label], share, prior))
        if model is not None and model.exchangeable:
            n = sum(given[label] for label in model.exchangeable)
            prior = figure(model.merged[1][:, -1].mean())
            rows.append((question.title, either(view, model.exchangeable), n, n / given.total(), prior))
    return Table(
        id="dawid_skene_shares",
        caption="How frequent each label is: as given, and by the model",
        detail=True,
        note=f"Unit: labels given (n = {len(view.chosen.annotations)} a question); by the model, "
        f"generations (n = {len(view.chosen.by_generation)}). Labels that nobody gave are left out."
        f"{withheld(models, 'their share by the model is given together only')}"
        f"{unnamed_said(questions, models, 'its share by the model is not shown')}",
        trace="annotations.csv: item_judgement, response_judgement, primary, generation_id, annotator_id",
        columns=(
            Column(key="question", label="Of"),
            Column(key="label", label="Label"),
            Column(key="labels", label="Given", kind="count"),
            Column(key="share", label="Share", kind="share"),
            Column(key="model_share", label="By the model", kind="share"),
        ),
        rows=tuple(rows),
    )


def _certainty(questions: tuple[Asked, ...], models: Models) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for question in questions:
        model = models[question.name].model
        if model is not None:
            rows += [(question.title, *band) for band in _bands(model)]
    return Table(
        id="dawid_skene_certainty",
        caption="How probable the most probable label is",
        detail=True,
        note="Unit: generations, by the posterior of their most probable label."
        f"{not_fitted(questions, models)}"
        f"{withheld(models, 'they count as one label here')}{taken_for_truth(questions, models)}"
        f"{unnamed_said(questions, models, 'the generations that it is given to are left out')}",
        trace="annotations.csv: item_judgement, response_judgement, primary, generation_id, annotator_id",
        columns=(
            Column(key="question", label="Of"),
            Column(key="from", label="From", kind="number"),
            Column(key="to", label="To", kind="number"),
            Column(key="n", label="Generations", kind="count"),
            Column(key="mean", label="Mean", kind="number"),
        ),
        rows=tuple(rows),
    )


def _bands(model: DawidSkene) -> list[tuple[Cell, ...]]:
    groups, merged = model.merged
    split = [set(groups[at]) <= set(model.unnamed) for at in merged.argmax(axis=1)]
    top = merged.max(axis=1)[np.logical_not(split)]
    rows: list[tuple[Cell, ...]] = []
    for low, high in pairwise(BANDS):
        inside = top[(top >= low) & ((top < high) | (high == BANDS[-1]))]
        if len(inside):
            rows.append((low, high, len(inside), figure(np.mean(inside))))
    return rows


def _uncertain(view: StudyView, questions: tuple[Asked, ...], models: Models) -> Table:
    """The generations whose label is least certain, to be checked first."""
    rows: list[tuple[Cell, ...]] = []
    for question in questions:
        model = models[question.name].model
        if model is None or len(model.merged[0]) < 2:
            continue
        groups, merged = model.merged
        posterior = np.round(merged, DECIMALS)
        order = np.argsort(-posterior, axis=1, kind="stable")
        top = np.take_along_axis(posterior, order[:, :2], axis=1)
        for place in np.argsort(top[:, 0], kind="stable")[:LISTED]:
            if top[place, 0] < BANDS[-2]:
                names = [either(view, one) for one in groups]
                first, second = (names[at] for at in order[place, :2])
                one, other = (figure(value) for value in top[place])
                rows.append((question.title, model.items[place], first, one, second, other))
    return Table(
        id="dawid_skene_uncertain",
        caption="The least certain labels, by Dawid and Skene",
        detail=True,
        note=f"Unit: generations whose most probable label has a probability under {BANDS[-2]} before "
        f"rounding; at most {LISTED} of each question, the least certain first."
        f"{not_fitted(questions, models)}"
        f"{withheld(models, 'they count as one label here')}",
        trace="annotations.csv: item_judgement, response_judgement, primary, generation_id, annotator_id",
        columns=(
            Column(key="question", label="Of"),
            Column(key="generation_id", label="Generation", kind="code"),
            Column(key="first", label="Most probable"),
            Column(key="first_probability", label="Probability", kind="number"),
            Column(key="second", label="Next"),
            Column(key="second_probability", label="Probability", kind="number"),
        ),
        rows=tuple(rows),
    )
