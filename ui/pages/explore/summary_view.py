"""The texts of the explore page, and the figures of a slice as HTML. No Gradio, no database."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from clinicnum.annotations.explore.slice_accuracy import SliceAccuracy
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.figure_help import help_button
from clinicnum.ui.components.html import framed, note
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.pages.explore.facet_and_figure_wording import summary as summary_sentences
from clinicnum.ui.pages.explore.view_query import Panel, ViewQuery

ABOUT = Translatable(
    "Choose runs, then narrow their answers down with the filters; the number beside a choice says how many "
    "answers it would leave. The page's address always leads back to what you see."
)
PANELS: dict[Panel, str] = {
    "answers": Translatable("answers"),
    "slices": Translatable("accuracy by slice"),
    "map": Translatable("map of failures"),
    "flips": Translatable("changes between two runs"),
}
NO_RUNS = Translatable(
    "No run has answers yet. Start one on the page Runs, or upload answers made elsewhere there."
)


def panel_choices() -> list[tuple[str, Panel]]:
    """(label, panel) of each panel."""
    return [(_(label), panel) for panel, label in PANELS.items()]


def why_no_runs(hidden: Sequence[str]) -> str:
    """Why some runs, or all, are not shown, as HTML."""
    if not hidden:
        return str(note(_(NO_RUNS)))
    return str(
        note(
            _(
                "You take part in {studies}. Runs on their benchmarks open to you once no judgement or "
                "decision is pending there.",
                studies=", ".join(hidden),
            ),
            "warn",
        )
    )


@dataclass(frozen=True)
class Beside:
    """What the summary tells of beside the slice's accuracy."""

    uncounted: int
    """Answers of the slice that are left out of the accuracy of runs."""
    left_out: int
    """Answers that would be in the slice, if those that do not count in the accuracy were not left out."""
    unread: int
    """Answers of the slice that the scorer could not read."""
    questions: bool = False
    """Whether each question is its own subject."""


def summary(found: SliceAccuracy, total: int, beside: Beside, asked: ViewQuery) -> str:
    """The slice's figures, as HTML; `total` answers are in the slice or compared with it."""
    by_score = any(asked.where.get(facet) for facet in ("correct", "status", "strict"))
    said: list[str] = list(summary_sentences(found, total, by_score=by_score, questions=beside.questions))
    if beside.unread and not by_score:
        to = Markup('{} <a href="{}">{}</a>')
        said.append(to.format(_unread(beside.unread), asked.choosing(status="unparsable"), _("Look at them")))
    if beside.uncounted and not by_score:
        said.append(
            ngettext(
                "{n:,} of them is left out of the accuracy of a run.",
                "{n:,} of them are left out of the accuracy of a run.",
                beside.uncounted,
            )
        )
    if beside.left_out:
        where = {facet: values for facet, values in asked.where.items() if facet != "headline"}
        everything = asked.address(where=where, page=1, answer="")
        to = Markup('{} <a href="{}">{}</a>')
        said.append(to.format(_left_out(beside.left_out), everything, _("Show them, too")))
    told = Markup("").join(Markup("<span>{}</span>").format(one) for one in said)
    what = help_button("slice_accuracy")
    return framed(Markup('<div class="cn-note cn-figures" role="status">{} {}</div>').format(told, what))


def _unread(n: int) -> str:
    return ngettext(
        "{n:,} of these could not be read and counts as not right.",
        "{n:,} of these could not be read and count as not right.",
        n,
    )


def _left_out(n: int) -> str:
    return ngettext(
        "{n:,} more answer is left out, as it does not count in the accuracy: to a variant, to a question "
        "that a mistake answers right, too, or a failed sample.",
        "{n:,} more answers are left out, as they do not count in the accuracy: to variants, to questions "
        "that a mistake answers right, too, or failed samples.",
        n,
    )


def causes_label(n: int) -> str:
    """Label of the button that suggests causes of `n` failures."""
    return ngettext("Find suggested causes of {n:,} failure", "Find suggested causes of {n:,} failures", n)
