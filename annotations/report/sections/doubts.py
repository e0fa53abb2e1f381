"""The finding on what must be doubted: texts that were not read, errors, questions, the score, gaps."""

from collections.abc import Iterator

from clinicnum.annotations.report.question_summary import hardly_read
from clinicnum.annotations.report.report_content import Finding
from clinicnum.annotations.report.scorer_check import blind_check, rates
from clinicnum.annotations.report.sections.consensus_wording import by
from clinicnum.annotations.report.sections.share_cells import ends
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.jackknife import FEW_CLUSTERS, how_many


def doubts(view: StudyView, gaps: int) -> Iterator[Finding]:
    """One finding; none where there is nothing to doubt. `gaps`: how many things the report cannot state."""
    said = [*_answers(view), *_questions(view), *_score(view)]
    if gaps:
        are = "is" if gaps == 1 else "are"
        said.append(f"{how_many(gaps, 'thing')} that such a report can hold {are} missing, with the reason")
    if said:
        table = "unsaid" if gaps else "score_statuses"
        yield Finding(topic="To be doubted", text=f"{'. '.join(said)}.", table=table)


def _answers(view: StudyView) -> Iterator[str]:
    unread = hardly_read(view.runs).strip().removesuffix(".")
    if unread:
        yield unread
    failed = sum(run.failed for run in view.runs)
    if failed:
        hold, are = ("holds", "is") if failed == 1 else ("hold", "are")
        yield f"{how_many(failed, 'generation')} {hold} an error in place of an answer and {are} left out"
    subjects = len({one.subject for run in view.runs for one in run.headline})
    if subjects < FEW_CLUSTERS:
        yield f"All comes from {how_many(subjects, 'subject')}: read every interval with care"


def _questions(view: StudyView) -> Iterator[str]:
    doubted = sum(one.item.label not in (None, "valid") for one in view.settlements)
    if doubted:
        of = len(view.settlements)
        yield (
            f"{doubted} of {of} judged generations are on questions that are ambiguous or wrong in the gold "
            f"{by(view.protocol)}"
        )
    open_ = sum(one.status == "open" for one in view.contests)
    if open_:
        yield f"{how_many(open_, 'contest')} of a question {'is' if open_ == 1 else 'are'} not decided"
    out = len({one.instance.instance_id for run in view.runs for one in run.headline} & view.invalidated)
    if out:
        count = "counts" if out == 1 else "count"
        yield f"{how_many(out, 'question')} that an upheld contest took out {count} in accuracy on this page"


def _score(view: StudyView) -> Iterator[str]:
    """How many of the failures that annotators see the automatic score finds, where that is known."""
    found, _ = view.once(blind_check)
    sensitivity = rates(found, "lenient")[0].figure
    limits = ends(sensitivity.interval)
    if sensitivity.value is not None and limits is not None:
        yield (
            f"The automatic score finds {100 * sensitivity.value:.0f} % of the failures that annotators see "
            f"(95 % interval {100 * limits[0]:.0f} to {100 * limits[1]:.0f})"
        )
