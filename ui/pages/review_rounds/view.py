"""Review rounds as table rows and sentences for curators. No Gradio, no database."""

from collections.abc import Sequence
from datetime import datetime

from clinicnum.annotations.agreement.format import interval_text, value_text
from clinicnum.annotations.curation.acceptance import FEWEST, MOST, NEEDED
from clinicnum.annotations.curation.content_validity import ItemValidity
from clinicnum.annotations.curation.review import SCALE_NAMES, RatingScale, SubmittedReview, comment_subject
from clinicnum.annotations.curation.review_panel_statistics import PanelFigures, expert_name
from clinicnum.db.work.review.curator_rounds import Mismatch, PanelMember, Remark, RoundSummary, RoundView
from clinicnum.db.work.review.review_queue import Reviewable, ReviewerCandidate

COEFFICIENTS = {
    "percent_agreement": "Same rating, share of pairs",
    "gwet_ac2_quadratic": "Gwet's AC2, quadratic weights",
    "krippendorff_alpha_ordinal": "Krippendorff's alpha, ordinal",
}
REASONS = {"draft": "sent to review", "in_review": "back in review", "unreviewed": "never reviewed"}
ROUNDS = ("Template", "Version", "Round", "Status", "Submitted", "Opened", "Comments to answer", "Closed")
REVIEWABLE = ("Template", "Version", "Reason", "Wording")
REVIEWABLE_WIDTHS: list[str | int] = ["28%", "10%", "16%", "46%"]
SEATS = ("Expert", "State")
CANDIDATES = ("Account", "Role", "Why not")
CONDITIONS = ("", "Condition", "Figures")
CONDITION_WIDTHS: list[str | int] = ["12%", "40%", "48%"]
AGREEMENT = ("Coefficient", "Value", "95 % interval, or why there is none")
MISMATCHES = ("Expert", "Question", "Answer", "Gold", "Wording")
COMMENTS = ("Expert", "About", "Comment", "Reply")
COMMENT_WIDTHS: list[str | int] = ["12%", "16%", "38%", "34%"]
RATING_NOTE = (
    "1 speaks against, 4 for the template; experts are numbered in an order that is not that of their names."
)
BLIND = (
    "Each expert answers three examples without seeing the gold, and rates the template blind to the others."
)
NO_EXPERT = "No account may review templates yet; an admin adds them on the People page."
NO_ROUND = "No round yet."
ANSWER_FIRST = "Reply to every comment before closing the round."
NOT_ACCEPTABLE = "It can be accepted once every condition is met."
STILL_HIDDEN = (
    "Not all experts have submitted: if you return it now, what they have said stays hidden for good."
)
FINAL = "It is then validated and never rewritten; older versions of it are retired."
Rows = list[list[str]]
Choices = list[tuple[str, str]]


def version_title(template_id: str, version: int) -> str:
    """The display name of a version."""
    return f"{template_id} version {version}"


def round_rows(rounds: Sequence[RoundSummary]) -> Rows:
    """Rows for ROUNDS."""
    return [
        [
            one.template_id,
            str(one.version),
            str(one.number),
            one.status,
            submitted_text(one),
            _day(one.opened_at),
            str(one.unanswered),
            "" if one.closed_at is None else _day(one.closed_at),
        ]
        for one in rounds
    ]


def round_choices(rounds: Sequence[RoundSummary]) -> Choices:
    """(label, id) of each round."""
    return [
        (f"{version_title(one.template_id, one.version)}, round {one.number} ({one.status})", one.round_id)
        for one in rounds
    ]


def submitted_text(one: RoundSummary) -> str:
    """How many of the invited experts have submitted, in words."""
    return f"{one.handed_in} of {one.invited}"


def round_facts(view: RoundView) -> str:
    """A round's state, in one sentence."""
    one = view.summary
    closed = "" if one.closed_at is None else f"; {one.status} {_day(one.closed_at)}"
    return f"Round {one.number}, {submitted_text(one)} submitted, opened {_day(one.opened_at)}{closed}."


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"


def reviewable_rows(found: Sequence[Reviewable]) -> Rows:
    """Rows for REVIEWABLE: versions for which a round can be opened."""
    return [[one.template_id, str(one.version), REASONS[one.status], one.wording] for one in found]


def reviewable_label(found: Sequence[Reviewable], search: str, unreviewed: int) -> str:
    """The heading of the list of versions."""
    if not search:
        return f"Waiting for a review: {len(found)}; never reviewed: {unreviewed}"
    return f"Never reviewed, with all of these words: {len(found)}"


def panel_size(chosen: int) -> str:
    """Whether this number of experts suffices, and how many of them must agree."""
    needed = NEEDED.get(chosen)
    if needed is None:
        return f"{chosen} chosen; a review takes {FEWEST} to {MOST} experts."
    return f"{chosen} chosen: {'all' if needed == chosen else needed} of them must rate 3 or 4 on each scale."


def candidate_rows(people: Sequence[ReviewerCandidate]) -> Rows:
    """Rows for CANDIDATES: accounts that may not review this version, and why."""
    return [[one.name, one.role, one.why_not] for one in people if one.why_not]


def eligible(people: Sequence[ReviewerCandidate]) -> Choices:
    """(label, name) of the accounts that may review a version."""
    return [(f"{one.name}, {one.role}", one.name) for one in people if not one.why_not]


def seat_rows(seats: Sequence[PanelMember]) -> Rows:
    """Rows for SEATS, one per invited expert."""
    return [
        [one.name, "submitted" if one.handed_in else "in progress" if one.begun else "invited"]
        for one in seats
    ]


def removable(view: RoundView) -> list[str]:
    """Experts whose invitation can still be withdrawn."""
    if view.summary.status != "open" or len(view.seats) <= FEWEST:
        return []
    return [one.name for one in view.seats if not one.handed_in and one.name not in view.barred]


def invitable(view: RoundView, people: Sequence[ReviewerCandidate]) -> list[str]:
    """Accounts that can still be invited to a round."""
    one = view.summary
    if one.status != "open" or not one.handed_in < one.invited < MOST:
        return []
    taken = {*(seat.name for seat in view.seats), *view.barred}
    return [person.name for person in people if person.why_not is None and person.name not in taken]


def condition_rows(view: RoundView) -> Rows:
    """Rows for CONDITIONS; empty while they are hidden."""
    conditions = () if view.verdict is None else view.verdict.conditions
    return [["Met" if one.met else "Not met", one.title, one.figures] for one in conditions]


def verdict_label(view: RoundView) -> str:
    """Whether all of a round's conditions are met, in words."""
    if view.summary.status != "open":
        return "Conditions when the round closed"
    accepted = view.verdict is not None and view.verdict.accepted
    return "Every condition is met" if accepted else "Not every condition is met"


def rating_table(reviews: Sequence[SubmittedReview], figures: PanelFigures) -> tuple[list[str], Rows]:
    """Columns and rows, one row per scale: anonymous ratings, then the content validity indices."""
    experts = [expert_name(place) for place in range(len(reviews))]
    columns = ["Scale", *experts, "I-CVI", "Chance agreement", "Modified kappa"]
    rows = [
        [SCALE_NAMES[scale], *(str(one.ratings[scale]) for one in reviews), *_indices(item)]
        for scale, item in _ordered(figures)
    ]
    return columns, rows


def _ordered(figures: PanelFigures) -> list[tuple[RatingScale, ItemValidity]]:
    return [(scale, figures.items[scale]) for scale in SCALE_NAMES if scale in figures.items]


def _indices(item: ItemValidity) -> list[str]:
    kappa = (
        f"{number_text(item.kappa)} ({item.strength})"
        if item.kappa is not None
        else f"undefined: {item.undefined}"
    )
    return [number_text(item.i_cvi), number_text(item.chance), kappa]


def number_text(value: float | None) -> str:
    """The value with three decimals, or `undefined` for None."""
    return "undefined" if value is None else f"{value:.3f}"


def scale_validity_text(figures: PanelFigures) -> str:
    """The scale-level content validity index (S-CVI) in words, or why it is undefined."""
    scale = figures.scale
    if scale.average is None:
        return f"S-CVI is undefined: {scale.undefined}."
    mean, universal = number_text(scale.average), number_text(scale.universal)
    return f"S-CVI/Ave {mean}, S-CVI/UA {universal}, over {scale.items} scales."


def agreement_rows(figures: PanelFigures) -> Rows:
    """Rows for AGREEMENT between experts, with the rating scales as items."""
    return [
        [COEFFICIENTS[one.name], value_text(one), interval_text(one) or one.undefined or one.ci_method or ""]
        for one in figures.agreement
    ]


def mismatch_rows(found: Sequence[Mismatch]) -> Rows:
    """Rows for MISMATCHES: experts' answers that differ from the gold."""
    return [[one.expert, str(one.number), one.answer, one.gold, one.question] for one in found]


def comment_rows(remarks: Sequence[Remark]) -> Rows:
    """Rows for COMMENTS."""
    return [[one.expert, comment_subject(one.about), one.text, one.reply or "none yet"] for one in remarks]


def comment_choices(remarks: Sequence[Remark]) -> Choices:
    """(label, key) of each comment, unanswered ones first."""
    first = sorted(remarks, key=lambda one: one.reply is not None)
    return [(_comment_label(one), one.key) for one in first]


def _comment_label(one: Remark) -> str:
    text = " ".join(one.text.split())
    short = text if len(text) <= 60 else text[:60] + " …"
    return f"{one.expert} on {comment_subject(one.about).lower()}: {short}"


def unanswered(remarks: Sequence[Remark]) -> int:
    """How many comments have no reply yet."""
    return sum(one.reply is None for one in remarks)
