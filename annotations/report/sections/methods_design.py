"""Sentences of the methods section on how a study was set up: training, controls, repeats, order of items."""

from clinicnum.annotations.assignment import BLOCK, REPEAT_GAP
from clinicnum.annotations.reliability.intra_rater_agreement import repeated
from clinicnum.annotations.report.study_tables import Qualified
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.types import SuggestionPolicy
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.rounded_figures import percent

SUGGESTIONS: dict[SuggestionPolicy, str] = {
    "hidden": "Automatic suggestions of a cause were never shown.",
    "after_judgement": "Automatic suggestions of a cause were shown with gold and score, once a judgement "
    "made without them was saved; where there were any, response, labels and severity count as that "
    "judgement has them; of a failure that it gives no class or severity its response alone counts.",
    "shown": "Automatic suggestions of a cause were shown from the start.",
    "randomised": "Automatic suggestions of a cause were shown from the start on a random half of the items.",
}

SHOWN_WHEN: dict[SuggestionPolicy, str] = {
    "hidden": "never",
    "after_judgement": "with gold and score",
    "shown": "from the start",
    "randomised": "from the start on a random half of the items",
}


def design_said(view: StudyView) -> str:
    """Sentences on training, control items, repeats, suggestions and order of items; none on what is not
    used.
    """
    design = view.tables.design
    if design is None:
        return ""
    told = []
    if design.training:
        told.append(f"Before that, each judged {how_many(design.training, 'training item')} with feedback.")
    if design.qualifying and view.tables.qualified:
        told.append(_threshold(design, view.tables.qualified))
    if design.controls:
        told.append(
            f"{how_many(design.controls, 'control item')} with a reference judgement "
            f"{'was' if design.controls == 1 else 'were'} hidden among the others for "
            "everyone."
        )
    if design.repeat_share:
        again = repeated(view.tables.annotations)
        told.append(
            f"With a chance of {percent(design.repeat_share, 0)} % the next item was a blind repeat of one "
            f"that the annotator had been given more than {REPEAT_GAP} items before (not marked as a repeat; "
            f"gold and score had been shown at the first pass): {how_many(len(again), 'repeat')} in all."
        )
    told.append(_suggested(view, design))
    told.append(
        f"Items were handed out one by one, from blocks of {BLOCK} in one order for all, within a block in "
        f"an order of each annotator's own{_new_first(view)}; one left for {design.lease_minutes} minutes "
        "went back."
    )
    return " ".join(told) + " "


def slice_said(view: StudyView) -> str:
    """From which slice of the generations the sample was drawn, and what follows; empty if from no slice."""
    design = view.tables.design
    if design is None or not design.where.slice:
        return ""
    return (
        "They were drawn from one slice of the generations alone, which was chosen after looking at how they "
        f"were scored ({design.where.slice}): what was judged says nothing of generations outside it. "
    )


def _suggested(view: StudyView, design: Design) -> str:
    """When suggestions were shown, and on how many of the drawn generations there were any."""
    when = SUGGESTIONS[design.suggestions]
    if design.suggestions == "hidden":
        return when
    if not view.tables.suggestions:
        return (
            f"The study was set to show automatic suggestions of a cause {SHOWN_WHEN[design.suggestions]}; "
            "there were none, so none was shown."
        )
    drawn = {one.generation_id for one in view.tables.inclusions}
    n = len(drawn & {one.generation_id for one in view.tables.suggestions})
    return f"{when} Of the {len(drawn)} generations drawn {n or 'none'} had any."


def _threshold(design: Design, found: Qualified) -> str:
    """The rule after training, and how many passed it."""
    by_hand = f" and {found.by_hand} by hand" if found.by_hand else ""
    return (
        f"Other items were given to those who judged {design.qualifying} of these as the reference on "
        "response and class, in the first judgement that they submitted: "
        f"{found.by_training} qualified so{by_hand}."
    )


def _new_first(view: StudyView) -> str:
    """How items that share a question were handed out; empty if none do, or if another version did it."""
    asked = [view.instance(one.generation_id).group_id for one in view.tables.inclusions]
    if view.tables.asides is None or len(set(asked)) == len(asked):
        return ""
    return (
        ", those of questions whose reference the annotator had not seen first, and others left to "
        "colleagues who had not, where there were any"
    )
