"""The new-study form: its texts and choices, and the preview as rows and HTML. No Gradio, no database."""

from collections.abc import Mapping, Sequence
from typing import get_args
from urllib.parse import urlencode

from clinicnum.annotations.guideline import guideline_version_words
from clinicnum.annotations.run_names import display_names
from clinicnum.annotations.sampling import Include
from clinicnum.annotations.study_kind import StudyKind
from clinicnum.annotations.study_summary import RunSummary, StudyProgress
from clinicnum.annotations.types import STUDY_STATUSES, StudySummary, SuggestionPolicy, User
from clinicnum.stats.accuracy import STATUSES
from clinicnum.translatable_text import Translatable
from clinicnum.types import OPERATIONS, REPRESENTATIONS
from clinicnum.ui.components.html import note
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.markdown_links import link
from clinicnum.ui.components.next_steps import success_with_steps
from clinicnum.ui.components.value_display_names import word

INCLUDE: dict[Include, str] = {
    "mixed": Translatable("failures, and some scored-correct beside them"),
    "incorrect": Translatable("failures only"),
    "all": Translatable("everything, as it comes"),
}
POLICY: dict[SuggestionPolicy, str] = {
    "hidden": Translatable("never shown"),
    "after_judgement": Translatable("shown with the gold answer, once the judgement without it is locked"),
    "shown": Translatable("shown from the start"),
    "randomised": Translatable("shown from the start on half of the items, drawn by lot"),
}
ELSEWHERE = "external"
assert set(INCLUDE) == set(get_args(Include))
assert set(POLICY) == set(get_args(SuggestionPolicy))

FEW_ANNOTATORS = 3
"""Up to so many annotators are preselected; if there are more, the user must choose."""
RUNS = Translatable(
    "Whose answers are labelled. Several runs must be on the same benchmark. The share right is that of all "
    "answers; reports leave out questions that a known mistake would answer right, too."
)
SIZE = Translatable("0 takes all that fit; the preview says how many. 30 to 50 make a good first study.")
OVERLAP = Translatable("Two or more show where people disagree; three let a majority decide.")
CORRECT = Translatable("Only where some of them are labelled too: they show which failures the score misses.")
VARIANTS = Translatable("Beside the others: answers to questions rewritten in a controlled way. 0: none.")
ALL = Translatable("None chosen means all.")
TEMPLATES = Translatable("Of the questions to take, joined by commas. Empty means all.")
QUALITY = Translatable(
    "Training and control items need reference labels: what experts said of an answer. They are taken from "
    "the adjudicated and unanimous items of a closed study on the same runs."
)
REFERENCES = Translatable("The closed study whose decided labels serve as reference labels.")
ADJUDICATED = Translatable(
    "Where annotators differ on a preference, a rating, a sentence or a criterion. Labels they always settle."
)
RATING_LIMIT = Translatable("Only where each answer is rated on axes: further apart, an adjudicator decides.")
TRAINING = Translatable("Everybody judges them first and sees the reference labels after each.")
QUALIFYING = Translatable("Who agrees with fewer reference labels waits for your decision. 0: nobody waits.")
CONTROLS = Translatable("Hidden among the others, to see how often each annotator is right.")
REPEATS = Translatable("Items that the same person gets a second time unawares, to see who is consistent.")
OWN_GUIDELINE = Translatable(
    "In Markdown; it stands beside the work. Left empty, annotators get the default one, which is made from "
    "the taxonomy and is version 0."
)
SUGGESTIONS = Translatable(
    "Guesses at the cause, computed from the text when the study opens. Hidden, they cannot sway anybody."
)
OWN_FIELDS = Translatable(
    "In YAML, as [the help](/help/custom-fields) describes it: what annotators are asked besides. Fixed "
    "once the study is open."
)
AXES = Translatable(
    "Only where each answer is rated on axes: in YAML, as [the help](/help/ratings) describes it. Left "
    "empty: accuracy, completeness, safety and clarity, each from 1 to 5."
)
REFERENCE = Translatable("Only where answers are rated on axes. Otherwise nobody sees the gold answer there.")
LEASE = Translatable("So long an item that somebody has begun is kept for them after their last action.")
SECONDS = Translatable("What the preview counts with; it changes nothing else.")
CHANGED = Translatable(
    "The form was changed after the preview: preview it again, so that what you saw is what is opened."
)
UPHELD_SINCE = Translatable(
    "A contest was upheld after the preview, so other answers would be drawn: preview it again, so that what "
    "you saw is what is opened."
)
ASKED: dict[StudyKind, Translatable] = {
    "pairwise": Translatable("two runs' answers side by side: which is better?"),
    "ratings": Translatable("each answer by itself, on axes such as accuracy: how good is it?"),
    "claims": Translatable("each sentence of an answer: does the item’s text support it?"),
}
"""What studies ask that judge no failures, whose answers are drawn whatever their scores."""
INCLUDE_CHOICES = [(text, key) for key, text in (*INCLUDE.items(), *ASKED.items())]
POLICY_CHOICES = [(text, key) for key, text in POLICY.items()]


def operation_choices() -> list[tuple[str, str]]:
    """(label, operation) of each operation."""
    return [(word(one), one) for one in (*OPERATIONS, ELSEWHERE)]


def representation_choices() -> list[tuple[str, str]]:
    """(label, representation) of each representation."""
    return [(word(one), one) for one in (*REPRESENTATIONS, ELSEWHERE)]


def status_choices() -> list[tuple[str, str]]:
    """(label, status) of each status of a score."""
    return [(word(one), one) for one in STATUSES]


def run_choices(runs: Sequence[RunSummary], benchmarks: Mapping[str, str]) -> list[tuple[str, str]]:
    """(label, row id) of each run that a study can use; `benchmarks` has names by id."""
    names = display_names(runs)
    return [
        (
            _run(one, benchmarks)
            if names[one.run] == one.model
            else f"{names[one.run]}: {_run(one, benchmarks)}",
            one.run,
        )
        for one in runs
        if one.scored
    ]


def annotators_of(people: Sequence[User]) -> list[User]:
    """The accounts that may annotate."""
    return [one for one in people if one.role == "annotator" and one.active]


def annotator_choices(people: Sequence[User]) -> list[tuple[str, str]]:
    """(label, name) of each account that may annotate."""
    return [
        (_("{name} (simulated)", name=one.name) if one.kind == "simulated" else one.name, one.name)
        for one in annotators_of(people)
    ]


def reference_choices(studies: Sequence[StudyProgress]) -> list[tuple[str, str]]:
    """(label, name) of each study that can supply reference labels; the first choice is none."""
    closed = [(one.name, one.name) for one in studies if one.status == STUDY_STATUSES[-1]]
    return [(_("No study"), ""), *closed]


def likely_annotators(people: Sequence[User]) -> list[str]:
    """The preselected names: all human annotators if few, else none."""
    human = [one.name for one in annotators_of(people) if one.kind == "human"]
    return human if len(human) <= FEW_ANNOTATORS else []


def likely_overlap(chosen: Sequence[str]) -> int:
    """Default number of annotators per answer: three, or all that are chosen if they are fewer."""
    return min(3, len(chosen) or 3)


def proposed_name(names: Sequence[str]) -> str:
    """A name for the next study that no study has, and that says nothing of a model."""
    n = len(names) + 1
    while (name := _("Study {n}", n=n)) in names:
        n += 1
    return name


def no_run() -> str:
    """Message, as Markdown, that no study can be made without a scored run."""
    return _("There is no scored run yet: launch a model on a benchmark, or upload its answers.") + (
        " " + link(_("Go to Runs"), "/runs/")
    )


def no_annotator() -> str:
    """Message, as Markdown, that no study can be made without an annotator."""
    return _("No account has the role annotator yet; an admin adds one.") + (
        " " + link(_("Go to People"), "/people/")
    )


def _run(one: RunSummary, benchmarks: Mapping[str, str]) -> str:
    right, unread = one.statuses.get("correct", 0), one.statuses.get("unparsable", 0)
    told = {
        "model": one.model or _("model not named"),
        "n": one.scored,
        "wrong": one.scored - right,
        "percent": 100 * right / one.scored,
        "benchmark": benchmarks.get(one.benchmark_id, one.benchmark_id),
    }
    if unread:
        return _(
            "{model}, {wrong} failures in {n} answers ({percent:.0f} % right; {unread} of the failures could "
            "not be read), on {benchmark}",
            unread=unread,
            **told,
        )
    return _("{model}, {wrong} failures in {n} answers ({percent:.0f} % right), on {benchmark}", **told)


def all_taken(n: int) -> str:
    """Note that the number of answers was left empty, as HTML."""
    return str(note(_("“How many answers” is empty, so all that fit are taken: {n:,}.", n=n)))


def slice_note(words: str, n: int) -> str:
    """Note on the slice that the sample is drawn from, as HTML."""
    return str(
        note(
            _(
                "The sample is drawn from the slice that you explored, {n:,} answers ({words}). The study's "
                "design and its report say so: they say nothing of answers outside it.",
                n=n,
                words=words or _("all answers of the runs"),
            )
        )
    )


def opened(study: StudySummary, *, left_out: Translatable | None, address: str, has_deadline: bool) -> str:
    """Message on a study just opened, with next steps, as HTML."""
    said = [
        ngettext(
            "Study {name} is open: {items} items for {n} annotator. Its guideline is {version}.",
            "Study {name} is open: {items} items for {n} annotators. Its guideline is {version}.",
            study.annotators,
            name=study.name,
            items=study.generations,
            version=guideline_version_words(study.guideline_version),
        )
    ]
    if left_out:
        words = _(left_out)
        said.append(f"{words[0].upper()}{words[1:]}.")
    said.append(
        _("Tell the annotators: once they have logged in, their items wait at {address}.", address=address)
    )
    here = urlencode({"study": study.name})
    steps = [(_("Show the study"), f"/studies/?{here}")]
    if not has_deadline:
        steps.append((_("Set a deadline"), f"/studies/?{here}&part=deadline"))
    return success_with_steps(" ".join(said), steps)
