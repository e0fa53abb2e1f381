"""The main part on questions that some models answer right and others wrong, with an answer of either."""

from collections.abc import Sequence

from clinicnum.annotations.report.answer_parsing_notes import kept_for_responses
from clinicnum.annotations.report.failure_class_shares import failure_classes
from clinicnum.annotations.report.model_run import in_a_sentence, run_or_model
from clinicnum.annotations.report.question_summary import made_elsewhere
from clinicnum.annotations.report.report_content import Gap, Section, ShownAnswer, SideBySide
from clinicnum.annotations.report.sections.consensus_wording import by
from clinicnum.annotations.report.sections.model_comparison import medec
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.robustness import Answer
from clinicnum.stats.jackknife import how_many
from clinicnum.types import Instance

MOST = 3
ON_PAPER = 2
"""As in report.css: more would exceed the main part's four pages."""
BEGINNING, END = 200, 120
"""Characters shown of a long answer or question."""
CORRECTION_NOT_SCORED = (
    " A correction does not count here: an answer is right if it names the sentence with the error, or says "
    "that there is none."
)
TAKEN_OUT = ("Contested", "an upheld contest took it out of accuracy without contested questions")
Named = tuple[str, Answer]


def discordant_section(view: StudyView) -> Section:
    """A few questions on which models disagree, with the rule that chose them."""
    title = f"Where do the {run_or_model(view.runs)}s disagree?"
    if len(view.runs) < 2:
        return Section(id="discordant", title=title, holds_labels=False, main=True)
    asked = _shared(view)
    parted = [one for one in asked if len({answer.right for _, answer in one}) > 1]
    shown = _chosen(parted)
    models = f"{'both' if len(view.runs) == 2 else f'all {len(view.runs)}'} {run_or_model(view.runs)}s"
    said = (
        f"Of {how_many(len(asked), 'question')} on which an answer of {models} counts, {len(parted)} "
        f"{'has' if len(parted) == 1 else 'have'} right and wrong answers"
        if asked
        else f"No question was answered by {models}{_by_some(view)}"
    )
    return Section(
        id="discordant",
        title=title,
        main=True,
        paragraphs=(
            f"{said}. {_rule(parted, len(shown))}".rstrip()
            + CORRECTION_NOT_SCORED * medec(view)
            + kept_for_responses(view.runs),
        ),
        side_by_side=tuple(_pair(view, one) for one in shown),
        gaps=()
        if asked
        else (Gap(what="Questions on which models part", why="no question was answered by all"),),
    )


def _by_some(view: StudyView) -> str:
    """How many questions several models answered, and on how many of them some are right, others wrong."""
    answers: dict[str, list[bool]] = {}
    for run in view.runs:
        for one in run.paired.bases:
            answers.setdefault(one.instance.instance_id, []).append(one.right)
    several = [one for one in answers.values() if len(one) > 1]
    parted = sum(len(set(one)) > 1 for one in several)
    return f"; of {len(several)} that two or more answered, {parted} have right and wrong answers" * bool(
        several
    )


def _rule(parted: Sequence[tuple[Named, ...]], shown: int) -> str:
    """How the questions that are shown were chosen; empty without any."""
    if not shown:
        return ""
    which = "the questions on which models are split most evenly, the first ids if several are"
    if len({one[0][1].instance.operation for one in parted}) > 1:
        which = (
            "of each operation the question on which models are split most evenly, the first id if several "
            "are, operations with the most such questions first"
        )
    return (
        f"Shown {'is' if shown == 1 else 'are'} "
        f"{shown}{f' ({ON_PAPER} where printed)' * (shown > ON_PAPER)}: "
        f"{which}; of either side the answer of the model with the highest accuracy. No question here stands "
        "for others."
    )


def _shared(view: StudyView) -> list[tuple[Named, ...]]:
    """The answers to each question that every model answered, models by accuracy."""
    of = {run.name: {one.instance.instance_id: one for one in run.paired.bases} for run in view.ranked}
    ids = sorted(set.intersection(*(set(found) for found in of.values())))
    return [tuple((name, found[key]) for name, found in of.items()) for key in ids]


def _chosen(parted: Sequence[tuple[Named, ...]]) -> list[tuple[Named, ...]]:
    by_operation: dict[str, list[tuple[Named, ...]]] = {}
    for one in parted:
        by_operation.setdefault(one[0][1].instance.operation, []).append(one)
    if len(by_operation) == 1:
        return sorted(parted, key=_unevenness)[:MOST]
    groups = sorted(by_operation.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    return [min(group, key=_unevenness) for _, group in groups[:MOST]]


def _unevenness(answers: tuple[Named, ...]) -> tuple[float, str]:
    right = sum(answer.right for _, answer in answers)
    return abs(right - len(answers) / 2), answers[0][1].instance.instance_id


def _pair(view: StudyView, answers: tuple[Named, ...]) -> SideBySide:
    instance = answers[0][1].instance
    right = [one for one in answers if one[1].right]
    wrong = [one for one in answers if not one[1].right]
    return SideBySide(
        title=_title(instance, len(right), len(answers), run_or_model(view.runs)),
        instance_id=instance.instance_id,
        question=_short(instance.question, " "),
        facts=(
            ("Gold", _gold(instance)),
            ("Right", _names(right)),
            ("Wrong", _names(wrong)),
            *[TAKEN_OUT] * (instance.instance_id in view.invalidated),
        ),
        answers=(_shown(view, right[0]), _shown(view, wrong[0])),
    )


def _title(instance: Instance, right: int, of: int, what: str) -> str:
    where = "" if made_elsewhere([instance]) else f"{instance.operation}, {instance.representation}: "
    return f"{where}{right} of {of} {what}s right".capitalize()


def _names(answers: Sequence[Named]) -> str:
    return ", ".join(in_a_sentence(name) for name, _ in answers)


def _gold(instance: Instance) -> str:
    if instance.answer is None:
        return "unanswerable from the record"
    return f"{instance.answer} {instance.unit}" if instance.unit else instance.answer


def _shown(view: StudyView, named: Named) -> ShownAnswer:
    name, answer = named
    generation, score = answer.generation, answer.score
    label = failure_classes(view.settlements).get(generation.generation_id)
    judged = f"; {by(view.protocol)} {view.names.get(label, label)}" if label else ""
    read = f", read as {score.parsed}" if score.parsed is not None else ""
    return ShownAnswer(
        model=name,
        generation_id=generation.generation_id,
        verdict=f"Scored {score.status}{read}{judged}",
        text=_short(generation.text),
    )


def _short(text: str, between: str = "\n") -> str:
    left_out = len(text) - BEGINNING - END
    if left_out <= len(text) // 10:
        return text
    return between.join((text[:BEGINNING], f"[… {how_many(left_out, 'character')} left out …]", text[-END:]))
