"""Decisions that differ from an annotator's judgements, and own figures, as HTML. No Gradio."""

from collections.abc import Mapping

from markupsafe import Markup

from clinicnum.annotations.feedback_to_annotator import Difference, What
from clinicnum.annotations.judgement import label_of
from clinicnum.annotations.reliability.clustered_estimates import Estimate
from clinicnum.annotations.reliability.control_items import AgainstReference
from clinicnum.annotations.reliability.leave_one_out import AgainstOthers
from clinicnum.annotations.report.sections.annotator_table_helpers import why
from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.db.work.my_work.feedback_to_annotator import ExplainedItem, ExplainedPage, OwnSummary
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.html import table
from clinicnum.ui.components.judgement_wording import code_in_sentence, judgement_words, verdict_words
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.value_display_names import TICK_NAMES
from clinicnum.ui.pages.my_work.view import framed, view_link

ASKED: dict[What, tuple[str, str]] = {
    "item": (Translatable("Item"), "item_judgement"),
    "response": (Translatable("Response"), "response_judgement"),
    "primary": (Translatable("Primary class"), "labels"),
    "severity": (Translatable("Severity"), "severity"),
}
"""Heading and field of each question on which a decision may differ and that every answer is asked."""
MOST_CONFUSED = 5


def decision_comparison_view(page: ExplainedPage, summary: OwnSummary | None, taxonomy: Taxonomy) -> str:
    """Items whose final decision differs from the annotator's judgement, below a summary."""
    rows = Markup("").join(_explained(one, taxonomy) for one in page.items)
    line = _(
        "On {n} of your {total} items the decision is another than yours.",
        n=page.differing,
        total=page.judged,
    )
    return framed(
        (summary_view(summary, taxonomy) if summary is not None else Markup(""))
        + Markup("<h2>{}</h2><p>{}</p>").format(_("Where the decision differs"), line)
        + (Markup('<ol class="mw-rows">{}</ol>').format(rows) if rows else Markup(""))
    )


def _explained(one: ExplainedItem, taxonomy: Taxonomy) -> Markup:
    title = _("Decided by the adjudicator") if one.decided.adjudicated else _("Decided by the majority")
    lines = [
        (
            _asked(each, one.names),
            *(_words(each.what, label, taxonomy) for label in (each.own, each.decided)),
        )
        for each in one.differ
    ]
    comment = (
        Markup("<p><strong>{}</strong> {}</p>").format(_("The adjudicator:"), one.comment)
        if one.comment
        else ""
    )
    others = Markup("").join(
        Markup("<li>{}</li>").format(judgement_words(each, taxonomy)) for each in one.others
    )
    return Markup('<li class="mw-row">{}{}{}<p class="cn-muted">{}</p><ul>{}</ul></li>').format(
        view_link(one.question, item=one.assignment_id),
        table(title, (_("Of"), _("You"), _("The decision")), lines, prose=(0, 1, 2)),
        comment,
        _("What the others said, each position once:"),
        others,
    )


def _asked(difference: Difference, names: Mapping[str, str]) -> str:
    if not difference.key:
        return _(ASKED[difference.what][0])
    name = names[difference.key]
    return _(name) if difference.what == "rating" else name


def _words(what: What, label: str | None, taxonomy: Taxonomy) -> str:
    if label is None:
        return _("not given")
    if what == "rating":
        return label
    if what == "tick":
        return _(TICK_NAMES[label])
    if what == "verdict":
        return verdict_words(label)
    if label == "none" or label in taxonomy.codes():
        return code_in_sentence(taxonomy, label)
    return _(label_of(ASKED[what][1], label))


def summary_view(summary: OwnSummary, taxonomy: Taxonomy) -> Markup:
    """The annotator's agreement with others, accuracy on control items, and most frequent confusions."""
    asked: list[tuple[str, Estimate]] = []
    if summary.response is not None:
        asked.append(
            (_("On the response you give the label on which the others agree"), summary.response.agree)
        )
    if summary.primary is not None:
        asked.append(
            (_("On the primary class you give the label on which the others agree"), summary.primary.agree)
        )
    if summary.controls is not None:
        asked.append((_("On control items your response judgement is right"), summary.controls.response))
        asked.append((_("On control items your primary class is right"), summary.controls.primary))
    lines = Markup("").join(
        Markup("<li>{}: {}</li>").format(what, _estimate(one)) for what, one in asked
    ) or Markup("<li>{}</li>").format(_("No judgement of yours counts here."))
    return Markup("<h2>{}</h2><ul>{}</ul>{}").format(
        _("How you did"), lines, _confused(summary.primary, summary.controls, taxonomy)
    )


def _estimate(one: Estimate) -> str:
    """A proportion with its interval and n, or the reason why there is none."""
    if one.value is None:
        return _("undefined, {reason}.", reason="" if one.undefined is None else _(one.undefined))
    low, high = one.interval.low, one.interval.high
    share = ngettext(
        "{percent:.0f} % of {n} item", "{percent:.0f} % of {n} items", one.n, percent=100 * one.value
    )
    if low is not None and high is not None:
        share = _("{share}, 95 % {low:.0f} to {high:.0f} %", share=share, low=100 * low, high=100 * high)
    remark = why(one)
    return f"{share} ({_(remark)})." if remark else f"{share}."


def _confused(primary: AgainstOthers | None, controls: AgainstReference | None, taxonomy: Taxonomy) -> Markup:
    made = Markup("")
    for title, pairs in (
        (_("Where the others agree and you do not, most often"), primary.confusion if primary else {}),
        (_("On control items"), controls.confusion if controls else {}),
    ):
        apart = sorted(
            ((n, theirs, own) for (theirs, own), n in pairs.items() if theirs != own),
            key=lambda one: (-one[0], one[1], one[2]),
        )
        if apart:
            lines = Markup("").join(
                Markup("<li>{}</li>").format(
                    _(
                        "{own} where it was {right}: {n}",
                        own=code_in_sentence(taxonomy, own),
                        right=code_in_sentence(taxonomy, theirs),
                        n=n,
                    )
                )
                for n, theirs, own in apart[:MOST_CONFUSED]
            )
            made += Markup("<h3>{}</h3><ul>{}</ul>").format(title, lines)
    return made
