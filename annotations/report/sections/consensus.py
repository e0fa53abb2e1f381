"""What the labels come to by each protocol, and how sure Dawid and Skene's model is of it."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from annotations.consensus import PROTOCOLS, Consensus, DawidSkene, DawidSkeneResult, Protocol, dawid_skene
from annotations.consensus.protocols import by_model, consensus_of_all
from annotations.report.model import Cell, Column, Section, Table
from annotations.report.sections.remarks import Asked, asked, labels_by_item, spoken
from annotations.report.view import StudyView

BANDS = (0.0, 0.5, 0.8, 0.95, 0.99, 1.0)
LISTED = 50
"""Generations that a table lists at most."""
CLEAR = 0.01
"""Ambiguity of posteriors that is rounding."""
ROUND = 1e-8
"""Distances below this are not told apart."""
DECIMALS = 6
"""Of the model's figures: beyond them a fixed point that is approached may differ between machines."""
Reached = Mapping[str, Mapping[Protocol, Mapping[str, Consensus]]]
"""Question -> protocol -> generation -> consensus."""


def consensus_section(view: StudyView) -> Section:
    """The four protocols side by side, then the model behind the last."""
    questions = asked(view)
    labels = {one.name: labels_by_item(view, one) for one in questions}
    models = {one.name: _fit(one, labels[one.name]) for one in questions}
    reached = {
        one.name: {
            name: by_model(models[one.name], labels[one.name])
            if name == "dawid_skene"
            else consensus_of_all(labels[one.name], name)
            for name in PROTOCOLS
        }
        for one in questions
    }
    return Section(
        id="protocols",
        title="Consensus by four protocols",
        paragraphs=(
            "Unanimous: all alike. Majority: more than half of at least two. Three experts: three "
            "independent judgements, and where they differ an adjudicator decides; decisions are not among "
            "the study's tables yet, so what experts differ on stands open. Dawid and Skene (1979): the most "
            "probable label, given each annotator's estimated errors, which takes three labels on an item.",
            *(_checks(one, models[one.name]) for one in questions),
        ),
        tables=(
            _protocols(view, questions, reached),
            _annotators(questions, models, labels),
            _classes(view, questions, models),
            _certainty(questions, models),
            _uncertain(view, questions, models),
            _differences(view, questions, reached),
        ),
    )


def _fit(question: Asked, labels: Mapping[str, Mapping[str, str]]) -> DawidSkeneResult:
    triples = [(item, who, label) for item, given in labels.items() for who, label in given.items()]
    return dawid_skene(triples, categories=question.categories)


def _figure(value: float) -> float:
    return round(float(value), DECIMALS)


def _checks(question: Asked, result: DawidSkeneResult) -> str:
    """What was checked about a fit, in words."""
    model = result.model
    if model is None:
        return f"{question.title}, Dawid and Skene: none ({result.undefined})."
    parts = [
        f"converged to within {max(model.distance, ROUND):.0e} of the fixed point; the likelihood never fell"
    ]
    if model.boundary_pull > CLEAR:
        parts.append("a probability of 0 is not at its maximum: read with care")
    if model.rival is not None:
        parts.append(
            f"another start ends higher (log-likelihood {model.rival.log_likelihood:.2f} against "
            f"{model.log_likelihood:.2f}) and gives {model.rival.items} generations another label"
        )
    if model.ambiguity > CLEAR:
        parts.append(
            f"other starts end as high with posteriors up to {model.ambiguity:.2f} away: the labels do not "
            "settle all of them"
        )
    return f"{question.title}, Dawid and Skene: {'; '.join(parts)}."


def _protocols(view: StudyView, questions: tuple[Asked, ...], reached: Reached) -> Table:
    n = len(view.chosen.by_generation)
    rows: list[tuple[Cell, ...]] = []
    for question in questions:
        majority = reached[question.name]["majority"]
        for protocol in PROTOCOLS:
            mine = reached[question.name][protocol]
            labelled = [item for item, one in mine.items() if one.label is not None]
            both = [item for item in labelled if majority[item].label is not None]
            other = sum(mine[item].label != majority[item].label for item in both)
            share = len(labelled) / n if n else None
            rows.append((question.title, spoken(protocol), n, len(labelled), share, len(both), other))
    return Table(
        id="consensus_protocols",
        caption="How many generations come to a label",
        note=f"Unit: generations; n = {n} judged. “Differs”: from the majority's label, where both have one.",
        trace="annotations.csv: item_judgement, response_judgement, primary, generation_id, annotator_id",
        columns=(
            Column(key="question", label="Of"),
            Column(key="protocol", label="Protocol"),
            Column(key="n", label="Judged", kind="count"),
            Column(key="labelled", label="With a label", kind="count"),
            Column(key="share", label="Share", kind="share"),
            Column(key="compared", label="Compared", kind="count"),
            Column(key="differs", label="Differs", kind="count"),
        ),
        rows=tuple(rows),
    )


def _annotators(
    questions: tuple[Asked, ...],
    models: Mapping[str, DawidSkeneResult],
    labels: Mapping[str, Mapping[str, Mapping[str, str]]],
) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for question in questions:
        model = models[question.name].model
        given = [who for one in labels[question.name].values() for who in one]
        for place, who in enumerate(model.annotators if model else ()):
            accuracy = _figure(model.accuracy(place)) if model else None
            rows.append((question.title, who, given.count(who), accuracy))
    return Table(
        id="dawid_skene_annotators",
        caption="Annotators by Dawid and Skene's model",
        note="Unit: labels. “Right”: the share of an annotator's labels that is expected to name the true "
        "one; it rests on the model, in which the annotator's own labels have a part.",
        trace="annotations.csv: item_judgement, response_judgement, primary, generation_id, annotator_id",
        columns=(
            Column(key="question", label="Of"),
            Column(key="annotator", label="Annotator", kind="code"),
            Column(key="labels", label="Labels", kind="count"),
            Column(key="accuracy", label="Right", kind="share"),
        ),
        rows=tuple(rows),
    )


def _classes(view: StudyView, questions: tuple[Asked, ...], models: Mapping[str, DawidSkeneResult]) -> Table:
    """Estimated shares of the labels, beside those of all labels given."""
    rows: list[tuple[Cell, ...]] = []
    for question in questions:
        model = models[question.name].model
        given = [question.label(one) for one in view.chosen.annotations()]
        for place, label in enumerate(question.categories):
            share = given.count(label) / len(given) if given else None
            prior = None if model is None else _figure(model.prior[place])
            if share or prior:
                name = view.names.get(label, spoken(label))
                rows.append((question.title, name, given.count(label), share, prior))
    return Table(
        id="dawid_skene_shares",
        caption="How frequent each label is: as given, and by the model",
        note=f"Unit: labels given (n = {len(view.chosen.annotations())} a question); by the model, "
        f"generations (n = {len(view.chosen.by_generation)}). Labels that nobody gave are left out.",
        trace="annotations.csv: item_judgement, response_judgement, primary",
        columns=(
            Column(key="question", label="Of"),
            Column(key="label", label="Label"),
            Column(key="labels", label="Given", kind="count"),
            Column(key="share", label="Share", kind="share"),
            Column(key="model_share", label="By the model", kind="share"),
        ),
        rows=tuple(rows),
    )


def _certainty(questions: tuple[Asked, ...], models: Mapping[str, DawidSkeneResult]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for question in questions:
        model = models[question.name].model
        if model is not None:
            rows += [(question.title, *band) for band in _bands(model)]
    return Table(
        id="dawid_skene_certainty",
        caption="How probable the most probable label is",
        note="Unit: generations, by the posterior of their most probable label.",
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
    top = model.posterior.max(axis=1)
    rows: list[tuple[Cell, ...]] = []
    for low, high in pairwise(BANDS):
        inside = top[(top >= low) & ((top < high) | (high == BANDS[-1]))]
        if len(inside):
            rows.append((low, high, len(inside), _figure(np.mean(inside))))
    return rows


def _uncertain(
    view: StudyView, questions: tuple[Asked, ...], models: Mapping[str, DawidSkeneResult]
) -> Table:
    """The generations whose label is least certain: the first to be looked at again."""
    rows: list[tuple[Cell, ...]] = []
    for question in questions:
        model = models[question.name].model
        if model is None or len(model.categories) < 2:
            continue
        posterior = np.round(model.posterior, DECIMALS)
        order = np.argsort(-posterior, axis=1, kind="stable")
        top = np.take_along_axis(posterior, order[:, :2], axis=1)
        for place in np.argsort(top[:, 0], kind="stable")[:LISTED]:
            if top[place, 0] < BANDS[-2]:
                names = [view.names.get(one, spoken(one)) for one in model.categories]
                first, second = (names[at] for at in order[place, :2])
                one, other = (_figure(value) for value in top[place])
                rows.append((question.title, model.items[place], first, one, second, other))
    return Table(
        id="dawid_skene_uncertain",
        caption="The least certain labels, by Dawid and Skene",
        note=f"Unit: generations whose most probable label has a probability under {BANDS[-2]}; at most "
        f"{LISTED} of each question, the least certain first.",
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


def _differences(view: StudyView, questions: tuple[Asked, ...], reached: Reached) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for question in questions:
        majority = reached[question.name]["majority"]
        for item, one in reached[question.name]["dawid_skene"].items():
            if one.label is not None and one.label != majority[item].label:
                other = majority[item].label or "no majority"
                posterior = None if one.posterior is None else _figure(one.posterior)
                rows.append((question.title, item, spoken(other), spoken(one.label), posterior, one.votes))
    rows.sort(
        key=lambda row: (str(row[0]), -float(row[4]) if isinstance(row[4], float) else 0.0, str(row[1]))
    )
    return Table(
        id="dawid_skene_differs",
        caption="Where the model and the majority differ",
        note=f"Unit: generations; n = {len(rows)} in all, at most {LISTED} shown, the most probable first.",
        trace="annotations.csv: item_judgement, response_judgement, primary, generation_id, annotator_id",
        columns=(
            Column(key="question", label="Of"),
            Column(key="generation_id", label="Generation", kind="code"),
            Column(key="majority", label="Majority"),
            Column(key="model", label="Model"),
            Column(key="posterior", label="Probability", kind="number"),
            Column(key="votes", label="Judgements", kind="count"),
        ),
        rows=tuple(rows[:LISTED]),
    )
