"""The finding on limitations: unparsed texts, errors, doubtful questions, the score, gaps."""

from collections.abc import Iterator

from clinicnum.annotations.report.answer_parsing_notes import errors_wrong, hardly_read
from clinicnum.annotations.report.model_run import in_a_sentence, of_whose_script
from clinicnum.annotations.report.report_content import Finding
from clinicnum.annotations.report.scorer_check import blind_check, rates
from clinicnum.annotations.report.sections.consensus_wording import by
from clinicnum.annotations.report.sections.share_cells import ends
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.interval_estimate import Figure
from clinicnum.stats.jackknife import FEW_CLUSTERS, how_many
from clinicnum.stats.rounded_figures import percent

Doubt = tuple[str, str]
"""(id of the table with the figures, sentence without stop)."""


def doubts(view: StudyView, gaps: int) -> Iterator[Finding]:
    """Yield one finding, or none without limitations. `gaps`: number of things the report cannot state."""
    said = [*_answers(view), *_questions(view), *_score(view)]
    if gaps:
        are = "is" if gaps == 1 else "are"
        more = f"{how_many(gaps, 'thing')} {are} missing or told in part"
        said.append(("unsaid", more))
    if said:
        first, *others = dict.fromkeys(table for table, _ in reversed(said))
        text = f"{'. '.join(text for _, text in said)}."
        yield Finding(topic="To be doubted", text=text, table=first, more_tables=tuple(reversed(others)))


def _answers(view: StudyView) -> Iterator[Doubt]:
    unread = hardly_read(view.runs).strip().removesuffix(".")
    if unread:
        yield "models", unread
    failed = sum(run.failed for run in view.runs)
    if failed:
        hold, are = ("holds", "is") if failed == 1 else ("hold", "are")
        wrong = [f"{in_a_sentence(run.name)} {errors_wrong(run)}" for run in view.runs if run.failed]
        said = f"{how_many(failed, 'generation')} {hold} an error{of_whose_script(view.runs)} in place of an "
        said += f"answer and {are} left out"
        like = f"counted as wrong, as a text without an answer is, accuracy would be: {', '.join(wrong)}"
        yield "score_statuses", f"{said}; {like}"
    subjects = len({one.subject for run in view.runs for one in run.headline})
    if subjects < FEW_CLUSTERS:
        yield "accuracy", f"All comes from {how_many(subjects, 'subject')}: read every interval with care"


def _questions(view: StudyView) -> Iterator[Doubt]:
    doubted = sum(one.item.label not in (None, "valid") for one in view.settlements)
    if doubted:
        of = len(view.settlements)
        yield (
            "consensus_settled",
            f"On {doubted} of {of} judged generations the item is ambiguous or wrong in the gold "
            f"{by(view.protocol)}",
        )
    open_ = sum(one.status == "open" for one in view.contests)
    if open_:
        are = "is" if open_ == 1 else "are"
        instances = len({view.question(one.generation_id) for one in view.contests if one.status == "open"})
        yield (
            "contests",
            f"{'simulated: ' * view.chosen.scripted}{how_many(open_, 'contest')} of "
            f"{how_many(instances, 'instance')} {are} not decided",
        )
    out = len({one.instance.instance_id for run in view.runs for one in run.headline} & view.invalidated)
    if out:
        count = "counts" if out == 1 else "count"
        said = f"{how_many(out, 'instance')} that an upheld contest took out {count} in accuracy on this page"
        yield "invalidated", said


def _score(view: StudyView) -> Iterator[Doubt]:
    """The shares of annotators' failures that the automatic score finds, and of answers they call right that
    it scores right; nothing if either is unknown.
    """
    found, left_out = view.once(blind_check)
    finds, passes = (_percent(one.figure) for one in rates(found, "lenient")[:2])
    if finds and passes:
        out = ", ".join(f"{n} {why}" for why, n in left_out.items())
        judged = "as annotators judge them before the gold is shown"
        if view.chosen.scripted:
            judged = "as scripted annotators, who have score and gold in sight, judge them at first"
        yield (
            "scorer_rates",
            f"{'simulated: ' * view.chosen.scripted}The automatic score finds {finds} of the failures, and "
            f"scores right {passes} of the right answers, {judged} "
            f"({how_many(len(found.subjects), 'generation')}"
            f"{f'; left out: {out}' * bool(out)})",
        )


def _percent(rate: Figure) -> str | None:
    limits = ends(rate.interval)
    if rate.value is None or limits is None:
        return None
    return f"{percent(rate.value, 0)} % (95 % interval {percent(limits[0], 0)} to {percent(limits[1], 0)})"
