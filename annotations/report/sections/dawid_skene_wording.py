"""Sentences on what Dawid and Skene's model leaves open, such as classes that it cannot tell apart."""

from collections.abc import Iterable, Mapping, Sequence

from clinicnum.annotations.consensus import DawidSkene, DawidSkeneResult
from clinicnum.annotations.consensus.dawid_skene import AT_ZERO
from clinicnum.annotations.report.sections.annotator_table_helpers import Asked, spoken
from clinicnum.annotations.report.study_view import StudyView

Models = Mapping[str, DawidSkeneResult]
"""Question -> its fit."""


def not_fitted(questions: Iterable[Asked], models: Models) -> str:
    """A sentence that names the questions for which no model was fitted; empty if there are none."""
    without = [one.title for one in questions if models[one.name].model is None]
    return f" Without a model, and so not here: {', '.join(without)}." if without else ""


def never_wrong(model: DawidSkene) -> list[str]:
    """The annotators whose labels the model takes for the truth; empty if that is none or all of them."""
    sure = [who for at, who in enumerate(model.annotators) if (model.accuracy(at) or 0) > 1 - AT_ZERO]
    return sure if len(sure) < len(model.annotators) else []


def taken_for_truth(questions: Iterable[Asked], models: Models) -> str:
    """A sentence for each question on which the model takes some annotators as never wrong; empty without
    any.
    """
    fits = [(one.title, models[one.name].model) for one in questions]
    told = [(title, never_wrong(model)) for title, model in fits if model is not None]
    return "".join(
        f" {title}: the model takes {' and '.join(sure)} as never wrong and follows what "
        "they say of what they judged; a solution that follows another annotator may fit nearly as well."
        for title, sure in told
        if sure
    )


def listed(categories: Iterable[str], word: str = "and") -> str:
    """Categories joined by a word, for use within a sentence."""
    return f" {word} ".join(spoken(one) for one in categories)


def either(view: StudyView, group: Sequence[str]) -> str:
    """The names of the categories in a group, joined by "or"."""
    return " or ".join(view.names.get(one, spoken(one)) for one in group)


def withheld(models: Models, what: str) -> str:
    """Note that the labels cannot tell some classes apart, and what follows from it, as `what` says; empty if
    they can.
    """
    sets = {one.model.exchangeable for one in models.values() if one.model and one.model.exchangeable}
    return "".join(f" The labels do not tell {listed(one, 'from')}: {what}." for one in sorted(sets))


def unnamed_said(questions: Iterable[Asked], models: Models, what: str) -> str:
    """Note on classes for which nobody is expected to give the model's label, and what follows from it, as
    `what` says; empty without any.
    """
    fits = [(one.title, models[one.name].model) for one in questions]
    return "".join(
        f" {title}: nobody is expected to say {listed(model.unnamed, 'or')} where the model holds it true; "
        f"that class is of split votes, under a name that was free, and {what}."
        for title, model in fits
        if model is not None and model.unnamed
    )
