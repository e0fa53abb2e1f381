"""The texts of the explore page, and the figures of a slice as HTML. No Gradio, no database."""

from collections.abc import Sequence

from markupsafe import Markup

from clinicnum.annotations.explore.slice_accuracy import SliceAccuracy
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.figure_help import help_button
from clinicnum.ui.components.html import framed, note
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.pages.explore.facet_and_figure_wording import summary as summary_sentences
from clinicnum.ui.pages.explore.view_query import Panel

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


def summary(found: SliceAccuracy, total: int, *, by_score: bool, uncounted: int, questions: bool) -> str:
    """The slice's figures, as HTML.

    `uncounted` of its answers are left out of the accuracy of runs; `questions`: each question is its own
    subject.
    """
    said = summary_sentences(found, total, by_score=by_score, questions=questions)
    if uncounted and not by_score:
        said.append(
            ngettext(
                "{n:,} of them is left out of the accuracy of a run.",
                "{n:,} of them are left out of the accuracy of a run.",
                uncounted,
            )
        )
    told = Markup("").join(Markup("<span>{}</span>").format(one) for one in said)
    what = help_button("slice_accuracy")
    return framed(Markup('<div class="cn-note cn-figures" role="status">{} {}</div>').format(told, what))


def causes_label(n: int) -> str:
    """Label of the button that suggests causes of `n` failures."""
    return ngettext("Find suggested causes of {n:,} failure", "Find suggested causes of {n:,} failures", n)
