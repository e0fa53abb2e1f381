"""The section on consensus: results of each protocol, and how certain Dawid and Skene's model is."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from clinicnum.annotations.consensus import (
    PROTOCOLS,
    Consensus,
    DawidSkeneResult,
    Protocol,
    dawid_skene,
    verdict,
)
from clinicnum.annotations.consensus.protocols import by_model, consensus_of_all
from clinicnum.annotations.reliability.clustered_estimates import share_of_items
from clinicnum.annotations.report.report_content import Cell, Column, Gap, Section, Table
from clinicnum.annotations.report.sections.annotator_table_helpers import Asked, asked, cells, spoken, why
from clinicnum.annotations.report.sections.consensus_wording import (
    NAMES,
    hidden,
    lacking_said,
    last_responses,
    on_labels,
)
from clinicnum.annotations.report.sections.dawid_skene import LISTED, figure, model_tables
from clinicnum.annotations.report.sections.dawid_skene_wording import (
    Models,
    listed,
    not_fitted,
    taken_for_truth,
    unnamed_said,
)
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.clustered_intervals import WILSON
from clinicnum.stats.jackknife import how_many

Reached = Mapping[str, Mapping[Protocol, Mapping[str, Consensus]]]
"""Question -> protocol -> generation -> consensus."""


def consensus_section(view: StudyView) -> Section:
    """The four protocols side by side, then details of Dawid and Skene's model."""
    questions = asked(view)
    labels = view.ballots
    models = {
        one.name: unless_beaten(dawid_skene(labels[one.name], categories=one.categories)) for one in questions
    }
    reached = {
        one.name: {
            name: by_model(models[one.name], labels[one.name])
            if name == "dawid_skene"
            else consensus_of_all(
                labels[one.name], name, decisions=_decided(view, one), independent=view.independent
            )
            for name in PROTOCOLS
        }
        for one in questions
    }
    return Section(
        id="protocols",
        title="Consensus by four protocols",
        paragraphs=(
            "Unanimous: at least two, all alike. Majority: more than half of at least two. Three readers: "
            "three "
            f"{'' if view.chosen.scripted else 'independent '}judgements (two where the study assigns two), "
            "and where they differ an adjudicator decides. Dawid and Skene (1979): "
            "the most probable label, given each annotator's estimated errors. These can be estimated "
            "only if some items have three labels; items with fewer get a label too. Where "
            "two labels are equally probable there is none.",
            *_exchangeable(questions, models),
        ),
        tables=(
            _protocols(view, questions, reached, models),
            *model_tables(view, questions, models),
            *_differences(view, questions, reached, models),
        ),
        gaps=_undecided(view),
    )


def unless_beaten(result: DawidSkeneResult) -> DawidSkeneResult:
    """The fit; withheld if another start fits the labels better and names some items differently."""
    rival = result.model.rival if result.model else None
    if rival is None or not rival.items:
        return result
    other = f"gives {how_many(rival.items, 'generation')} another label"
    return DawidSkeneResult(
        None, f"withheld: another start of the estimation fits the labels better, and {other}"
    )


def _exchangeable(questions: tuple[Asked, ...], models: Models) -> tuple[str, ...]:
    """A sentence on each question for which the model cannot tell some classes apart."""
    found = [(one.title, models[one.name].model) for one in questions]
    return tuple(
        f"{title}: the labels do not tell {listed(model.exchangeable, 'from')} in Dawid and Skene's model: "
        "with these names exchanged it fits the labels as well. It gives no generation either of them, and "
        "their shares and probabilities stand together only."
        for title, model in found
        if model is not None and model.exchangeable
    )


def _decided(view: StudyView, question: Asked) -> dict[str, str]:
    """Generation -> the adjudicator's answer to the question, where a decision was due; only `three_expert`
    uses it.
    """
    due = {one.generation_id for one in view.settlements if one.due}
    return {
        key: getattr(verdict(judgement), question.name)
        for key, judgement in view.decisions.items()
        if key in due
    }


def _undecided(view: StudyView) -> tuple[Gap, ...]:
    due = [one.generation_id for one in view.settlements if one.due]
    still = sum(key not in view.decisions for key in due)
    if not still:
        return ()
    why = f"no decision stands on {still} of the {len(due)} generations that need an adjudicator"
    why += on_labels(view) + lacking_said(view)
    rest = "The" if still == len(due) else "All of the"
    return (Gap(what=f"{rest} consensus by agreement or adjudication where annotators differ", why=why),)


def _protocols(view: StudyView, questions: tuple[Asked, ...], reached: Reached, models: Models) -> Table:
    n = len(view.chosen.by_generation)
    rows: list[tuple[Cell, ...]] = []
    for question in questions:
        majority = _labels(reached[question.name]["majority"], question)
        for protocol in PROTOCOLS:
            mine = _labels(reached[question.name][protocol], question)
            labelled = mine >= 0
            both = labelled & (majority >= 0)
            share = share_of_items(view.judged, labelled, without="no judgement")
            if protocol == "dawid_skene" and models[question.name].model is None:
                reason = models[question.name].undefined
                rows.append((question.title, NAMES[protocol], n, *[None] * 5, reason))
                continue
            rows.append(
                (
                    question.title,
                    NAMES[protocol],
                    n,
                    int(labelled.sum()),
                    *cells(share),
                    int(both.sum()),
                    int((both & (mine != majority)).sum()),
                    why(share),
                )
            )
    return Table(
        id="consensus_protocols",
        caption="How many generations come to a label",
        note=f"Unit: generations; n = {n} judged{hidden(view)}. “None” is a primary class: no failure was "
        f"called. “Differs”: from the majority's label, where both have one. Interval: {WILSON}."
        f"{_without_name(models, reached)}"
        f"{last_responses(view)}",
        trace="annotations.csv: item_judgement, response_judgement, primary, generation_id, annotator_id; "
        "for agreement or adjudication also adjudications.csv: item_judgement, response_judgement, primary, "
        "generation_id, stands; scores.csv: subject_id",
        columns=(
            Column(key="question", label="Of"),
            Column(key="protocol", label="Protocol"),
            Column(key="n", label="Judged", kind="count"),
            Column(key="labelled", label="With a label", kind="count"),
            Column(key="share", label="Share", kind="share"),
            Column(key="ci95", label="95 % interval", kind="share_interval", under=True),
            Column(key="compared", label="Compared", kind="count"),
            Column(key="differs", label="Differs", kind="count"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
        bar=("share", "ci95"),
    )


def _without_name(models: Models, reached: Reached) -> str:
    n = {
        name: sum(one.label is None for one in reached[name]["dawid_skene"].values())
        for name, result in models.items()
        if result.model is not None and result.model.exchangeable
    }
    return "".join(f" {count} without a label by the model on the {name}." for name, count in n.items())


def _labels(found: Mapping[str, Consensus], question: Asked) -> NDArray[np.int64]:
    """The index of each generation's consensus category; -1 for none."""
    at: dict[str | None, int] = {category: place for place, category in enumerate(question.categories)}
    at[None] = -1
    return np.array([at[one.label] for one in found.values()], dtype=np.int64)


def _unnamed(result: DawidSkeneResult) -> tuple[str, ...]:
    return () if result.model is None else result.model.unnamed


def _said_by_nobody(n: int) -> str:
    """On how many generations the model's label was given by no annotator."""
    of_them = "none of them is" if not n else f"{n} of them {'is' if n == 1 else 'are'}"
    return f" The model's label on {of_them} one that nobody gave."


def _differences(
    view: StudyView, questions: tuple[Asked, ...], reached: Reached, models: Models
) -> tuple[Table, ...]:
    """Where the model's label is not the majority's; no table where nothing was fitted."""
    if all(one.model is None for one in models.values()):
        return ()
    rows: list[tuple[Cell, ...]] = []
    ties = unsaid = split = 0
    for question in questions:
        majority, ballots = reached[question.name]["majority"], view.ballots[question.name]
        for item, one in reached[question.name]["dawid_skene"].items():
            if one.label is not None and one.label in _unnamed(models[question.name]):
                split += 1
            elif one.label is not None and one.label != majority[item].label:
                other = majority[item].label or "no majority"
                ties += majority[item].label is None
                unsaid += one.label not in ballots[item].values()
                posterior = None if one.posterior is None else figure(one.posterior)
                rows.append((question.title, item, spoken(other), spoken(one.label), posterior, one.votes))
    rows.sort(
        key=lambda row: (str(row[0]), -float(row[4]) if isinstance(row[4], float) else 0.0, str(row[1]))
    )
    table = Table(
        id="dawid_skene_differs",
        caption="Where the model and the majority differ",
        detail=True,
        note=f"Unit: generations; n = {len(rows)} in all, {ties} of them without a majority, at most "
        f"{LISTED} shown, the most probable first.{_said_by_nobody(unsaid)}"
        f"{not_fitted(questions, models)}"
        f"{unnamed_said(questions, models, f'{split} such generations are left out')}"
        f"{taken_for_truth(questions, models)}",
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
    return (table,)
