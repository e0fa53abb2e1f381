"""Which unanswered failures are texts that a run's own limit of length cut off."""

from clinicnum.annotations.report.failure_class_shares import failure_classes
from clinicnum.annotations.report.model_run import in_a_sentence
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.taxonomy_codes import UNANSWERED

CUT_OFF_TRACE = "; the runs' generations: finish_reason"
"""What the sentences here are counted from, to be appended to the sources of a table."""


def _by_run(view: StudyView) -> dict[str, tuple[int, int]]:
    """Run name -> how many of its settled unanswered failures were cut off, and how many there are."""
    classes = failure_classes(view.settlements)
    found = {}
    for run in view.runs:
        mine = [
            one.generation.finish_reason == "length"
            for one in run.answers
            if classes.get(one.generation.generation_id) == UNANSWERED
        ]
        found[run.name] = sum(mine), len(mine)
    return found


def all_cut_off(view: StudyView, code: str) -> str:
    """After a class whose failures were all cut off, a clause that says so; else empty."""
    found = [one for one in _by_run(view).values() if one[1]] if code == UNANSWERED else []
    return ", all cut off at a limit of length" * (bool(found) and all(cut == n for cut, n in found))


def cut_off_said(view: StudyView) -> str:
    """How many unanswered failures of each run were cut off, and at which limit, as a sentence; empty without
    any.
    """
    limits = {run.name: run.most_tokens for run in view.runs}
    told = [
        f"{cut} of {n} of {in_a_sentence(name)}"
        + f" (at most {limits[name]} new tokens)" * (limits[name] is not None)
        for name, (cut, n) in _by_run(view).items()
        if cut
    ]
    name = view.names[UNANSWERED] if told else ""
    return (
        f" Of the failures settled as {name}, texts that the run's limit of length cut off (finish_reason "
        f"length): {', '.join(told)}."
        if told
        else ""
    )
