"""How far annotators agree, and how precisely that is known, in sentences. No Gradio, no database."""

from collections.abc import Sequence
from typing import NamedTuple

from clinicnum.annotations.agreement.annotation_selection import KNOWN
from clinicnum.annotations.agreement.format_results import thin_labels
from clinicnum.annotations.agreement.results_in_sentences import agreement_sentence
from clinicnum.annotations.agreement.study_agreement import Layer
from clinicnum.annotations.agreement.types import AgreementResult
from clinicnum.annotations.reliability.need_for_more_labels import PrecisionOutlook
from clinicnum.db.work.studies.labels_for_agreement import StudyState
from clinicnum.stats.rounded_figures import percent
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import _, ngettext

SEVERITY = "severity_if_failure"
RESPONSE, PRIMARY = "response_judgement", "primary"
SETTLED = Translatable(
    "Where levels differ, the median counts, of two the graver; where they are 2 or more apart, an "
    "adjudicator decides."
)
"""How the severity of a failure is settled if annotators differ on it."""


def agreement_heading(layers: Sequence[Layer]) -> str:
    """How often annotators agree: on the response and on the primary class, each with its number of items; in
    studies that do not ask both, over all questions.
    """
    shares = {one.name: agreed for one in layers if (agreed := _percent_agreement(one)) is not None}
    if not layers:
        return _("Its annotators answer no question that this page compares; the report has their agreement.")
    if not shares:
        return _("No item has two labels yet.")
    if RESPONSE in shares and PRIMARY in shares:
        titles = {one.name: _(one.title) for one in layers}
        response, primary = shares[RESPONSE], shares[PRIMARY]
        return _(
            "Annotators agree on “{response}” in {response_percent} % of pairs of labels (mean over "
            "{response_items}), on “{primary}” in {primary_percent} % (mean over {primary_items}).",
            response=titles[RESPONSE],
            response_percent=percent(response.value, 0),
            response_items=ngettext("{n} item", "{n} items", response.items),
            primary=titles[PRIMARY],
            primary_percent=percent(primary.value, 0),
            primary_items=ngettext("{n} item", "{n} items", primary.items),
        )
    values = [one.value for one in shares.values()]
    low, high = (percent(one, 0) for one in (min(values), max(values)))
    if low == high:
        return _("Annotators agree in {percent} % of cases.", percent=low)
    return _("Annotators agree in {low} to {high} % of cases, depending on the question.", low=low, high=high)


class _Agreed(NamedTuple):
    """Percent agreement on a question: the mean over items of the share of pairs that agree."""

    value: float
    items: int


def _percent_agreement(layer: Layer) -> _Agreed | None:
    if layer.result is None:
        return None
    found = layer.result.coefficient("percent_agreement")
    return None if found.value is None else _Agreed(found.value, found.n_items)


def in_words(layers: Sequence[Layer], drawn: int) -> str:
    """Agreement on each question in a sentence, as a Markdown list, and how severity is settled.

    `drawn` is the study's number of items: it is said how many of them count where some do not because their
    annotators knew the gold answer.
    """
    return "\n".join(
        f"- {' '.join(_sentences(layer, layer.result, drawn))}"
        for layer in layers
        if layer.result is not None
    )


def _sentences(layer: Layer, result: AgreementResult, drawn: int) -> list[str]:
    said = [_(agreement_sentence(layer.title, result))]
    known = sum(one.n for one in result.population.left_out if one.why == KNOWN)
    if known:
        said.append(
            ngettext(
                "It is computed on {items} of {drawn} items; {n} judgement is left out, as its annotator had "
                "already seen the gold answer, beside another answer to the same question.",
                "It is computed on {items} of {drawn} items; {n} judgements are left out, as their "
                "annotators had already seen the gold answer, beside another answer to the same question.",
                known,
                items=result.population.items,
                drawn=drawn,
            )
        )
    if layer.name == SEVERITY:
        said.append(_(SETTLED))
    return said


def precision_text(one: PrecisionOutlook) -> str:
    """Caveats on a layer's agreement, and how many more items the wanted precision requires."""
    if one.figure is None or one.figure.value is None:
        return _("Undefined: {why}.", why=one.why)
    thin = thin_labels(one.figure) if one.half_width is not None else None
    warning = f"{thin[:1].upper()}{thin[1:]}. " if thin else ""
    return warning + more_items_text(one)


def more_items_text(one: PrecisionOutlook) -> str:
    """How many more items the wanted half-width needs, in words."""
    if one.half_width is None:
        return _("No interval yet: {why}.", why=one.why)
    known = {"half_width": f"{one.half_width:.2f}", "wanted": f"{one.wanted:g}"}
    if one.more is None:
        return _(
            "Half-width {half_width}; no plan for a half-width of {wanted}: {why}.", why=one.why, **known
        )
    if one.more == 0 and one.half_width <= one.wanted:
        return _("Planned precision reached: half-width {half_width}, planned {wanted}.", **known)
    if one.more == 0:
        return _(
            "Half-width {half_width}; the planner expects a half-width of {wanted} from about as many items.",
            **known,
        )
    if one.layer.conditional:
        text = _("About {n} more items that all call a failure for a half-width of {wanted}.")
    else:
        text = _("About {n} more items for a half-width of {wanted}.")
    needed = text.format(n=f"{one.more:,}", **known)
    return needed if one.planned else " ".join((needed, _("This takes half-widths to go with 1/√items.")))


def precision_verdict(state: StudyState, outlooks: Sequence[PrecisionOutlook]) -> str:
    """Whether alpha of the response judgement and of the primary class is known as precisely as planned;
    where a study asks neither, of all of its questions. Empty for a study whose questions have no agreement.
    """
    asked = [one for one in outlooks if one.layer.name in (RESPONSE, PRIMARY)] or list(outlooks)
    without = [one for one in asked if one.half_width is None]
    said = []
    if without:
        reasons = dict.fromkeys(one.why or "" for one in without)
        said.append(
            _("No interval yet for {layers}: {why}.", layers=_quoted(without), why="; ".join(reasons))
        )
    known = [one for one in asked if one.half_width is not None]
    wide = [one for one in known if one.half_width is not None and one.half_width > one.wanted]
    if wide:
        said.append(_wide(state, wide))
    elif known:
        said.append(
            _(
                "As precise as planned: half the width of the 95 % interval of alpha is at most {wanted} for "
                "{layers}.",
                layers=_quoted(known),
                wanted=f"{known[0].wanted:g}",
            )
        )
    return " ".join(said)


def _quoted(outlooks: Sequence[PrecisionOutlook]) -> str:
    return ", ".join(f"“{_(one.layer.title)}”" for one in outlooks)


def _wide(state: StudyState, wide: Sequence[PrecisionOutlook]) -> str:
    """How many more items layers need whose intervals are too wide, and how many the study still has."""
    aim = {"wanted": f"{wide[0].wanted:g}"}
    unknown = [one for one in wide if one.more is None]
    if unknown:
        return _(
            "Not as precise as planned (half the width of the 95 % interval of alpha at most {wanted}) for "
            "{layers}; how many more items that takes cannot be estimated yet.",
            layers=_quoted(unknown),
            **aim,
        )
    widest = max(wide, key=lambda one: one.more or 0)
    more, left = widest.more or 0, state.items - state.filled
    values = {"left": left, "more": f"{more:,}", "layer": _(widest.layer.title), **aim}
    if left >= more:
        return _(
            "The {left} items still open are expected to make alpha of “{layer}” precise to ±{wanted}, which "
            "is half the width of its 95 % interval.",
            **values,
        )
    if left:
        return _(
            "Alpha of “{layer}” would be precise to ±{wanted} (half the width of its 95 % interval) with "
            "about {more} more items; {left} of this study are still open.",
            **values,
        )
    return _(
        "Alpha of “{layer}” would be precise to ±{wanted} (half the width of its 95 % interval) with about "
        "{more} more items; all items of this study are judged.",
        **values,
    )
