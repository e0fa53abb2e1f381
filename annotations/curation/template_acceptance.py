"""The rule by which a template or an item is accepted: a list of named conditions, each met or not, with its
figures.

How many experts must rate 3 or 4 is the project's rule. It agrees with what the literature on I-CVI cites
from Lynn (1986) and Polit, Beck and Owen (2007): all of up to five experts, at least .83 of six to eight, at
least .78 of nine or more; and S-CVI/Ave of at least .90.
"""

from collections.abc import Sequence
from fractions import Fraction

from clinicnum.annotations.curation.content_validity import item_validity, mean_i_cvi
from clinicnum.annotations.curation.item_draft_checks import ItemCheck
from clinicnum.annotations.curation.review_sheet import (
    CASES,
    RATING_SCALES,
    SCALE_NAMES,
    RatingScale,
    SubmittedReview,
    scales_of,
)
from clinicnum.authoring.template_trial import Trial
from clinicnum.release import Evidence
from clinicnum.translatable_text import Translatable, joined
from clinicnum.types import REPRESENTATIONS, Frozen

NEEDED: dict[int, int] = {3: 3, 4: 4, 5: 5, 6: 5, 7: 6, 8: 7, 9: 7, 10: 8}
"""Number of experts -> how many of them must rate 3 or 4 on each scale."""
FEWEST, MOST = min(NEEDED), max(NEEDED)
LEAST_AVERAGE = Fraction(9, 10)
SAMPLE = 200
"""Instances in each representation on which the validity rules are tried."""
PANEL = Translatable("{fewest} to {most} experts", fewest=FEWEST, most=MOST)


class AcceptanceCondition(Frozen):
    """One condition of the checklist."""

    name: str
    title: Translatable
    met: bool
    figures: Translatable
    """What was found, and what is required if the condition is not met."""


class AcceptanceVerdict(Frozen):
    """Whether a template is accepted, and why."""

    conditions: tuple[AcceptanceCondition, ...]

    @property
    def accepted(self) -> bool:
        """Whether every condition is met."""
        return all(one.met for one in self.conditions)

    def unmet(self) -> str:
        """The titles of the unmet conditions, joined by commas."""
        return joined(", ", (one.title for one in self.conditions if not one.met))


class AcceptanceInputs(Frozen):
    """What is known of a template or item besides the experts' reviews."""

    mechanical: bool
    invited: int
    open_contests: int
    """Number of open contests on instances of this version, in any study."""
    upheld: int
    """Earlier upheld contests of the template's golds; shown, but not a condition."""
    reviewing_authors: int
    """Number of experts who wrote or edited the template."""
    unanswered: int
    """Comments without a reply."""
    cases: int = CASES
    """Number of instances that each expert solved."""


def verdict(
    reviews: Sequence[SubmittedReview], about: AcceptanceInputs, trial: Trial | ItemCheck
) -> AcceptanceVerdict:
    """Whether a template or item meets each condition of acceptance, with its figures. A condition that
    cannot be computed is not met, which its `figures` say.

    `trial`: a template's trial on sample patients, or the checks of an item.
    """
    return AcceptanceVerdict(
        conditions=(
            _panel(len(reviews), about.invited),
            *(_scale(scale, reviews, about.mechanical) for scale in RATING_SCALES),
            _average(reviews, about.mechanical),
            _worked(reviews, about.cases),
            _checks(trial) if isinstance(trial, ItemCheck) else _validity(trial),
            _contests(about),
            AcceptanceCondition(
                name="independence",
                title=Translatable("Author and editors do not review"),
                met=about.reviewing_authors == 0,
                figures=Translatable("none of them is among the experts")
                if about.reviewing_authors == 0
                else Translatable("{n} of the experts wrote or edited it", n=about.reviewing_authors),
            ),
            AcceptanceCondition(
                name="comments",
                title=Translatable("Every comment is answered"),
                met=about.unanswered == 0,
                figures=Translatable("none is open")
                if about.unanswered == 0
                else Translatable("{n} without an answer", n=about.unanswered),
            ),
        )
    )


def lacking(evidence: Evidence, *, mechanical: bool, sha256: str) -> tuple[str, ...]:
    """What a template's evidence in a release lacks under the acceptance rule; empty if nothing.

    `mechanical`: whether it is not rated for relevance. `sha256` is the hash of the template's content as it
    is shown to experts.
    """
    experts = evidence.experts
    scales = {name: evidence.scales.get(name) for name in scales_of(mechanical=mechanical)}
    agreeing = [one.agreeing if one is not None else 0 for one in scales.values()]
    needed = NEEDED.get(experts, MOST + 1)
    mean = Fraction(sum(agreeing), experts * len(agreeing))
    told = evidence.s_cvi_ave
    tried = [evidence.trial.get(name, 0) for name in REPRESENTATIONS]
    untried = f"the validity rules were not tried on {SAMPLE} instances in each representation"
    conditions = {
        f"it was reviewed by {experts}, and {PANEL} are needed": experts in NEEDED,
        "a scale is not rated 3 or 4 by enough experts": all(needed <= n <= experts for n in agreeing),
        "S-CVI/Ave is below 0.90": mean >= LEAST_AVERAGE and told is not None and told >= LEAST_AVERAGE,
        "not every worked instance matches the gold": evidence.worked_matched == evidence.worked > 0,
        untried: min(tried) >= SAMPLE,
        "its experts reviewed other content": evidence.reviewed == sha256,
    }
    return tuple(said for said, met in conditions.items() if not met)


def _panel(given: int, invited: int) -> AcceptanceCondition:
    return AcceptanceCondition(
        name="experts",
        title=Translatable("Every expert has handed in"),
        met=given == invited and given in NEEDED,
        figures=Translatable("{n} of {total}", n=given, total=invited)
        if invited in NEEDED
        else Translatable("{n} of {total}; {panel} are needed", n=given, total=invited, panel=PANEL),
    )


def _scale(scale: RatingScale, reviews: Sequence[SubmittedReview], mechanical: bool) -> AcceptanceCondition:
    title = Translatable("{scale} is rated 3 or 4", scale=SCALE_NAMES[scale])
    if scale not in scales_of(mechanical=mechanical):
        return AcceptanceCondition(
            name=scale,
            title=title,
            met=True,
            figures=Translatable("exempt: the template is mechanical"),
        )
    rated = item_validity([one.ratings[scale] for one in reviews])
    needed = NEEDED.get(rated.experts)
    counts = {"n": rated.agreeing, "total": rated.experts}
    if needed is None:
        figures = Translatable("by {n} of {total}; {panel} are needed", **counts, panel=PANEL)
    else:
        figures = Translatable("by {n} of {total}; {needed} of {total} are needed", **counts, needed=needed)
    met = needed is not None and rated.agreeing >= needed
    return AcceptanceCondition(name=scale, title=title, met=met, figures=figures)


def _average(reviews: Sequence[SubmittedReview], mechanical: bool) -> AcceptanceCondition:
    scales = scales_of(mechanical=mechanical)
    mean = mean_i_cvi([item_validity([one.ratings[scale] for one in reviews]) for scale in scales])
    if mean is None:
        said = Translatable("undefined: nobody has rated")
    else:
        said = Translatable("{mean:.3f} over {n} scales", mean=float(mean), n=len(scales))
    return AcceptanceCondition(
        name="s_cvi_ave",
        title=Translatable("S-CVI/Ave is at least 0.90"),
        met=mean is not None and mean >= LEAST_AVERAGE,
        figures=said,
    )


def _worked(reviews: Sequence[SubmittedReview], cases: int) -> AcceptanceCondition:
    title = Translatable("Every worked instance matches the gold")
    if not cases:
        said = Translatable("exempt: the experts read the answer points and rate them")
        return AcceptanceCondition(name="worked", title=title, met=True, figures=said)
    all_ = [one for each in reviews for one in each.worked]
    matched, worked = sum(one.matches for one in all_), len(all_)
    return AcceptanceCondition(
        name="worked",
        title=title,
        met=worked > 0 and matched == worked,
        figures=Translatable("{n} of {total}", n=matched, total=worked),
    )


def _checks(check: ItemCheck) -> AcceptanceCondition:
    return AcceptanceCondition(
        name="validity",
        title=Translatable("The automatic checks hold"),
        met=check.holds,
        figures=joined("; ", check.faults[:3]) if check.faults else Translatable("no fault"),
    )


def _validity(trial: Trial) -> AcceptanceCondition:
    tried = {name: trial.by_representation.get(name, 0) for name in REPRESENTATIONS}
    enough = min(tried.values()) >= SAMPLE
    figures: list[str] = [
        Translatable("{structured} structured, {templated} templated, {note} note", **tried)
    ]
    if not enough:
        figures.append(Translatable("{sample} in each are needed", sample=SAMPLE))
    return AcceptanceCondition(
        name="validity",
        title=Translatable(
            "All validity rules hold on {sample} instances in each representation", sample=SAMPLE
        ),
        met=trial.holds and enough,
        figures=joined("; ", (*figures, *(fault.message for fault in trial.faults[:3]))),
    )


def _contests(about: AcceptanceInputs) -> AcceptanceCondition:
    n, before = about.open_contests, about.upheld
    return AcceptanceCondition(
        name="contests",
        title=Translatable("No contest of its golds is open"),
        met=about.open_contests == 0,
        figures=Translatable("{n} open; {before} upheld before", n=n, before=before)
        if before
        else Translatable("{n} open", n=n),
    )
