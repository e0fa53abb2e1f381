"""Review rounds as table rows and sentences for curators. No Gradio, no database."""

from collections.abc import Sequence
from datetime import datetime

from clinicnum.annotations.curation.review_sheet import (
    SCALE_NAMES,
    comment_subject,
    subject_in_sentence,
)
from clinicnum.annotations.curation.template_acceptance import (
    FEWEST,
    MOST,
    NEEDED,
    PANEL,
    AcceptanceCondition,
)
from clinicnum.db.work.review.review_rounds_for_curators import (
    Mismatch,
    PanelMember,
    Remark,
    RoundSummary,
    RoundView,
)
from clinicnum.db.work.review.reviewable_versions import Reviewable, ReviewerCandidate
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _
from clinicnum.ui.components.value_display_names import ROLE_NAMES, word

REASONS = {
    "draft": Translatable("sent to review"),
    "in_review": Translatable("back in review"),
    "unreviewed": Translatable("never reviewed"),
}
ROUNDS = (
    Translatable("Template"),
    Translatable("Version"),
    Translatable("Round"),
    Translatable("Status"),
    Translatable("Submitted"),
    Translatable("Opened"),
    Translatable("Comments to answer"),
    Translatable("Closed"),
)
REVIEWABLE = (
    Translatable("Template"),
    Translatable("Version"),
    Translatable("Reason"),
    Translatable("Wording"),
)
REVIEWABLE_WIDTHS: list[str | int] = ["28%", "10%", "16%", "46%"]
SEATS = (
    Translatable("Expert"),
    Translatable("State"),
)
CANDIDATES = (
    Translatable("Account"),
    Translatable("Role"),
    Translatable("Why not"),
)
CONDITIONS = (
    "",
    Translatable("Condition"),
    Translatable("Figures"),
)
CONDITION_WIDTHS: list[str | int] = ["12%", "40%", "48%"]
MISMATCHES = (
    Translatable("Expert"),
    Translatable("Question"),
    Translatable("Answer"),
    Translatable("Gold answer"),
    Translatable("Wording"),
)
COMMENTS = (
    Translatable("Expert"),
    Translatable("About"),
    Translatable("Comment"),
    Translatable("Reply"),
)
COMMENT_WIDTHS: list[str | int] = ["12%", "16%", "38%", "34%"]
BLIND = Translatable(
    "Each expert answers three examples without seeing the gold answer, and rates the template blind to the "
    "others."
)
NO_EXPERT = Translatable("No account may review templates yet; an admin adds them on the People page.")
NO_ROUND = Translatable(
    "In a round, experts answer examples of a template that is in the bank as a draft, and rate it. Only an "
    "accepted version counts as validated. There is no round yet; begin one on the tab New round."
)
ANSWER_FIRST = Translatable("Reply to every comment before closing the round.")
NOT_ACCEPTABLE = Translatable("It can be accepted once every condition is met.")
STILL_HIDDEN = Translatable(
    "Not all experts have submitted: if you return it now, what they have said stays hidden for good."
)
FINAL = Translatable(
    "**Accept this version?** It is then validated and never rewritten; older versions of it are retired."
)
Rows = list[list[str]]
Choices = list[tuple[str, str]]


def no_such_round(key: str) -> str:
    """The message that the round named in the address does not exist, as HTML."""
    said = _("There is no round “{round}”; choose one of those there are.", round=key[:100])
    return str(note(said, "warn"))


def version_title(template_id: str, version: int) -> str:
    """The display name of a version."""
    return _("{template} version {version}", template=template_id, version=version)


def round_rows(rounds: Sequence[RoundSummary]) -> Rows:
    """Rows for ROUNDS."""
    return [
        [
            one.template_id,
            str(one.version),
            str(one.number),
            word(one.status),
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
        (
            _(
                "{title}, round {number} ({status})",
                title=version_title(one.template_id, one.version),
                number=one.number,
                status=word(one.status),
            ),
            one.round_id,
        )
        for one in rounds
    ]


def submitted_text(one: RoundSummary) -> str:
    """How many of the invited experts have submitted, in words."""
    return _("{n} of {total}", n=one.handed_in, total=one.invited)


def round_facts(view: RoundView) -> str:
    """A round's state, in one sentence."""
    one = view.summary
    facts = {"number": one.number, "submitted": submitted_text(one), "opened": _day(one.opened_at)}
    if one.closed_at is None:
        return _("Round {number}, {submitted} submitted, opened {opened}.", **facts)
    return _(
        "Round {number}, {submitted} submitted, opened {opened}; {status} {closed}.",
        **facts,
        status=word(one.status),
        closed=_day(one.closed_at),
    )


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"


def reviewable_rows(found: Sequence[Reviewable]) -> Rows:
    """Rows for REVIEWABLE: versions for which a round can be opened."""
    return [[one.template_id, str(one.version), _(REASONS[one.status]), one.wording] for one in found]


def reviewable_label(found: Sequence[Reviewable], search: str, unreviewed: int) -> str:
    """The heading of the list of versions; `unreviewed` is the number of those never reviewed."""
    if not search:
        return _(
            "Waiting for a review: {n}; never reviewed: {unreviewed}", n=len(found), unreviewed=unreviewed
        )
    return _("Never reviewed, with all of these words: {n}", n=len(found))


def panel_size(chosen: int) -> str:
    """Whether this number of experts suffices, and how many of them must agree."""
    needed = NEEDED.get(chosen)
    if needed is None:
        return _("{n} chosen; a review takes {panel}.", n=chosen, panel=PANEL)
    if needed == chosen:
        return _("{n} chosen: all of them must rate 3 or 4 on each scale.", n=chosen)
    return _("{n} chosen: {needed} of them must rate 3 or 4 on each scale.", n=chosen, needed=needed)


def candidate_rows(people: Sequence[ReviewerCandidate]) -> Rows:
    """Rows for CANDIDATES: accounts that may not review this version, and why."""
    return [[one.name, _role(one), _(one.why_not)] for one in people if one.why_not]


def eligible(people: Sequence[ReviewerCandidate]) -> Choices:
    """(label, name) of the accounts that may review a version."""
    return [(f"{one.name}, {_role(one)}", one.name) for one in people if not one.why_not]


def _role(one: ReviewerCandidate) -> str:
    return _(ROLE_NAMES[one.role])  # type: ignore[index]  # the database checks the column


def seat_rows(seats: Sequence[PanelMember]) -> Rows:
    """Rows for SEATS, one per invited expert."""
    return [
        [
            one.name,
            _("submitted") if one.handed_in else _("in progress") if one.begun else _("invited"),
        ]
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
    return [[_("Met") if one.met else _("Not met"), _(_title(one)), _(one.figures)] for one in conditions]


def _title(one: AcceptanceCondition) -> str:
    """The condition's title; made anew where it names a scale, as a stored one is plain English."""
    if one.name in SCALE_NAMES:
        return Translatable("{scale} is rated 3 or 4", scale=SCALE_NAMES[one.name])
    return one.title


def verdict_label(view: RoundView) -> str:
    """The heading of the conditions: whether all are met, or, once the round is no longer open, that they are
    those at its close.
    """
    if view.summary.status != "open":
        return _("Conditions when the round closed")
    accepted = view.verdict is not None and view.verdict.accepted
    return _("Every condition is met") if accepted else _("Not every condition is met")


def mismatch_rows(found: Sequence[Mismatch]) -> Rows:
    """Rows for MISMATCHES: experts' answers that differ from the gold."""
    return [[_(one.expert), str(one.number), one.answer, one.gold, one.question] for one in found]


def comment_rows(remarks: Sequence[Remark]) -> Rows:
    """Rows for COMMENTS."""
    return [
        [_(one.expert), _(comment_subject(one.about)), one.text, one.reply or _("none yet")]
        for one in remarks
    ]


def comment_choices(remarks: Sequence[Remark]) -> Choices:
    """(label, key) of each comment, unanswered ones first."""
    first = sorted(remarks, key=lambda one: one.reply is not None)
    return [(_comment_label(one), one.key) for one in first]


def _comment_label(one: Remark) -> str:
    text = " ".join(one.text.split())
    short = text if len(text) <= 60 else text[:60] + " …"
    return _(
        "{expert} on {subject}: {text}",
        expert=_(one.expert),
        subject=subject_in_sentence(one.about),
        text=short,
    )


def unanswered(remarks: Sequence[Remark]) -> int:
    """How many comments have no reply yet."""
    return sum(one.reply is None for one in remarks)
