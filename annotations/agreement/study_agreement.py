"""The layers of a study's agreement, one for each question; the same on pages, in commands and in reports.

The layers are: the judgement of the item; the judgement of the response, first as made before gold and score
were shown and then in its final form, where that was made without a suggestion in sight; the primary class
and all codes on all items, with `none` as a category; and the primary class, all codes and the severity on
items that every annotator called a failure.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from clinicnum.annotations.agreement.agreement_questions import (
    Question,
    custom_question,
    response_judgement,
    study_questions,
)
from clinicnum.annotations.agreement.annotation_selection import KNOWN, ChosenAnnotations, choose_annotations
from clinicnum.annotations.agreement.compute_agreement import agreement
from clinicnum.annotations.agreement.label_table import MISSING, Column, LabelTable
from clinicnum.annotations.agreement.rating_panel import Flags
from clinicnum.annotations.agreement.revision_selection import ANSWERED, OPEN
from clinicnum.annotations.agreement.types import AgreementResult, Exclusion
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.types import Annotation, AnnotatorKind
from clinicnum.stats.jackknife import how_many
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

FREE_TEXT = "free text: no coefficient compares it; the exports hold it"


class Layer(Frozen):
    """Agreement on one question of the study."""

    name: str
    title: Translatable
    conditional: bool
    """Whether only items count that every annotator called a failure."""
    result: AgreementResult | None
    undefined: str | None = None
    """Why there is no result."""
    blind: bool = False
    """Whether it compares first judgements."""

    def to_json(self) -> dict[str, Any]:
        """The layer's name together with the agreement result as JSON; without a result, no population and no
        coefficients.
        """
        named = {"name": self.name, "title": self.title, "conditional": self.conditional}
        result = {"population": None, "coefficients": []} if self.result is None else self.result.to_json()
        return named | {"undefined": self.undefined} | result


class StudyAgreement(Frozen):
    """All layers of a study, in the order they are shown."""

    annotator_kinds: tuple[AnnotatorKind, ...]
    """`human`, `simulated` or both: figures that rest on a simulated annotator must say so."""
    layers: tuple[Layer, ...]

    def layer(self, name: str) -> Layer:
        """The layer of that name. Raises KeyError for one that does not exist."""
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise KeyError(name)

    def to_json(self) -> dict[str, Any]:
        """What `clinicnum agreement --study --json` prints."""
        return {
            "annotator_kinds": list(self.annotator_kinds),
            "layers": [layer.to_json() for layer in self.layers],
        }


def study_agreement(
    annotations: Iterable[Annotation] | ChosenAnnotations,
    *,
    taxonomy_codes: Sequence[str],
    subjects: Mapping[str, str],
    details: bool = False,
    templates: Mapping[str, str] | None = None,
    template_word: str = "template",
    weights: Mapping[str, float] | None = None,
    fields: Sequence[CustomField] = (),
) -> StudyAgreement:
    """The agreement of a study in its layers, from all revisions of its annotations or from chosen
    annotations.

    `taxonomy_codes` are all codes in order, both levels; `subjects` maps generation_id to subject_id.
    `details` adds pairs of annotators, verbal strength and alternative intervals to every layer, one of these
    with `templates` (generation_id -> template_id) as clusters, named `template_word`. `weights` maps
    generation_id to the inverse of its probability of selection; None if unknown. `fields` are what the study
    adds to the judgement: each has a layer, after the others. Raises InputError for a
    code outside the taxonomy, and for a generation without a subject or, if templates are given, without a
    template.
    """
    chosen = annotations if isinstance(annotations, ChosenAnnotations) else choose_annotations(annotations)
    failed_by_all = _failed_by_all(chosen)
    compute = partial(
        agreement,
        clusters=subjects,
        details=details,
        other_clusters={template_word: templates} if templates else {},
        weights=weights,
    )
    return StudyAgreement(
        annotator_kinds=tuple(sorted({one.annotator_kind for one in chosen.annotations})),
        layers=tuple(
            _shown(question, None, FREE_TEXT)
            if question.text
            else _first_layer(question, chosen, compute)
            if question.blind
            else _layer(question, chosen, failed_by_all, compute)
            for question in (
                *study_questions(chosen.kind, tuple(taxonomy_codes), chosen.scripted),
                *(custom_question(one, chosen.scripted, chosen.kind) for one in fields),
            )
        ),
    )


def _layer(
    question: Question,
    judged: ChosenAnnotations,
    failed_by_all: Flags,
    compute: Callable[..., AgreementResult],
) -> Layer:
    kept, rule, left_out = np.arange(len(judged.annotations)), judged.rule, judged.left_out
    if question.conditional:
        kept = np.flatnonzero(failed_by_all)
        rule = f"{judged.rule}; only items that at least two annotators judged and every one called a failure"
        outside = len(judged.item.names) - len(np.unique(judged.item.codes[kept]))
        if outside:
            left_out = (
                *left_out,
                Exclusion(
                    what="items", n=outside, why="not called a failure by all of at least two annotators"
                ),
            )
    label = _labels(question, judged)
    codes = label.codes[kept]
    given = codes != MISSING
    blank = len(kept) - int(given.sum())
    if blank:
        items = len(np.unique(judged.item.codes[kept])) - len(np.unique(judged.item.codes[kept[given]]))
        with_them = f", and with these {how_many(items, 'item')} left without a label" * bool(items)
        left_out = (*left_out, Exclusion(what="labels", n=blank, why=f"{question.blank}{with_them}"))
        kept = kept[given]
    if not len(kept) and blank:
        return _shown(question, None, f"every label was left out: {question.blank}")
    if not len(kept):
        nothing = "no item was called a failure by all" if question.conditional else "no judgement yet"
        return _shown(question, None, nothing)
    table = LabelTable(
        item=Column(judged.item.codes[kept], judged.item.names),
        annotator=Column(judged.annotator.codes[kept], judged.annotator.names),
        label=Column(codes[given], label.names),
    )
    result = compute(
        table, scale=question.scale, categories=question.categories, rule=rule, left_out=left_out
    )
    return _shown(question, result, None)


def _labels(question: Question, judged: ChosenAnnotations) -> Column:
    """The label of each annotation; missing in a question on last judgements where the locked one counts
    instead.
    """
    if not question.last or not judged.locked:
        return judged.column(question.label)
    return Column.of(None if judged.is_locked(one) else question.label(one) for one in judged.annotations)


def _first_layer(
    question: Question, judged: ChosenAnnotations, compute: Callable[..., AgreementResult]
) -> Layer:
    """The layer of first judgements; those count whatever was in sight at the last one."""
    firsts = [judged.first[key] for key in sorted(judged.first)]
    if not firsts:
        why = KNOWN if judged.known else question.blank
        return _shown(question, None, why if judged.annotations else "no judgement yet")
    counted = {(one.generation_id, one.annotator_id) for one in judged.annotations}
    kept = judged.first.keys() | judged.known
    unkept = len(counted - kept)
    # Where suggestions opened later, or an answer was read, the first judgement is here all the same.
    here = kept - counted
    n_here = {OPEN: len(here - judged.answered), ANSWERED: len(here & judged.answered)}
    out = tuple(
        one.model_copy(update={"n": one.n - n_here.get(one.why, 0)})
        for one in judged.left_out
        if one.n > n_here.get(one.why, 0)
    )
    if judged.known:
        out = (*out, Exclusion(what="labels", n=len(judged.known), why=KNOWN))
    if unkept:
        out = (*out, Exclusion(what="labels", n=unkept, why=question.blank))
    labelled = [(one, label) for one in firsts if (label := question.label(one)) is not None]
    blank = len(firsts) - len(labelled)
    if not labelled:
        return _shown(question, None, f"every label was left out: {question.blank}")
    if blank:
        out = (*out, Exclusion(what="labels", n=blank, why=question.blank))
    table = LabelTable(
        item=Column.of(one.generation_id for one, _ in labelled),
        annotator=Column.of(one.annotator_id for one, _ in labelled),
        label=Column.of(label for _, label in labelled),
    )
    rule = judged.blind_rule
    result = compute(table, scale=question.scale, categories=question.categories, rule=rule, left_out=out)
    return _shown(question, result, None)


def _shown(question: Question, result: AgreementResult | None, undefined: str | None) -> Layer:
    return Layer(
        name=question.name,
        title=Translatable("{question}, if all call it a failure", question=question.title)
        if question.conditional
        else question.title,
        conditional=question.conditional,
        result=result,
        undefined=undefined,
        blind=question.blind,
    )


def _failed_by_all(judged: ChosenAnnotations) -> Flags:
    """For each annotation, whether its item has at least two judgements and all of them call it a failure."""
    items = len(judged.item.names)
    reply = judged.column(response_judgement)
    failure = np.array([name == "failure" for name in reply.names], dtype=bool)[reply.codes]
    given = np.bincount(judged.item.codes, minlength=items)
    failures = np.bincount(judged.item.codes[failure], minlength=items)
    by_all: Flags = (given > 1) & (given == failures)
    return by_all[judged.item.codes]
