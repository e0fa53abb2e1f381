"""The paragraph on statistics of the methods section."""

from clinicnum.annotations.report.question_summary import made_elsewhere, templates_word
from clinicnum.annotations.report.scorer_check import blind_check
from clinicnum.annotations.report.sections.consensus_wording import (
    TO_SCORE,
    by,
    codes_seen,
    last_ones,
    of_same_subject,
    rewording_said,
    severity_rule,
)
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.jackknife import MIN_CLUSTERS, how_many


def statistics(view: StudyView) -> str:
    """How agreement, accuracy and shares were computed."""
    kinds = templates_word(view.tables.instances)
    said = view.once(codes_seen)
    return (
        f"Agreement rests on {view.chosen.rule}; agreement on the response among annotators rests on "
        "first judgements, made before gold and score were shown, and each annotator's agreement "
        "with the others and with themselves, drift, consensus and the plan for a next study on "
        f"{last_ones(view)}. "
        "Agreement is given as percent agreement and chance-corrected coefficients, with "
        f"{_agreement_intervals(view)}; they speak of other generations, of other subjects, judged by the "
        "same annotators. "
        f"{_accuracy_interval(view, kinds)}{_compared(view)}Shares of failures, and sensitivity and "
        f"specificity of the automatic score, are weighted by 1 / inclusion probability{TO_SCORE}, with "
        "Jeffreys's limits on the effective number of items (Korn and Graubard's: share x (1 - share) over "
        "the squared jackknife error by subject, at most the number of items, times the squared ratio of t's "
        "quantiles for items and for subjects; the number of subjects, by weight at most Kish's, where "
        f"these are under {MIN_CLUSTERS} or all agree), carried through by MOVER-R. "
        f"{_wilson(view)} and quantiles of t(effective subjects - 1), of other subjects and these {kinds}; "
        "effective subjects are the squared number of items over the sum of the squared numbers of each "
        f"subject. The reference for the automatic score was {_reference(view)}. Severity was "
        f"{severity_rule(view)}; "
        f"in rates weighted by harm its levels 0 to 4 count as 0, 0.25, 0.5, 0.75 and 1. "
        f"{said[:1].upper()}{said[1:]}.{_following(view)}{rewording_said(view)}"
    )


def _reference(view: StudyView) -> str:
    """What the score was compared with, and how many generations were left out, as part of a sentence."""
    found, left_out = view.once(blind_check)
    rule = "what more than half of at least two first judgements say"
    if view.blind_protocol != "majority":
        rule = f"the consensus of first judgements {by(view.blind_protocol)}"
    out = "; ".join(f"{n} {why}" for why, n in left_out.items())
    return (
        f"{rule}, made before gold and score were shown ({how_many(len(found.subjects), 'generation')}"
        f"{f'; left out: {out}, whether an item is valid being judged with the gold in sight' * bool(out)})"
    )


def _following(view: StudyView) -> str:
    """How many first judgements were not blind, as the question's reference was known; empty without any."""
    n = len(view.chosen.known)
    if not n:
        return ""
    return (
        f" {how_many(n, 'judgement')} began after the annotator had seen the reference of the same question "
        "beside another answer; their first judgements count neither in the agreement on the response among "
        "annotators nor in the reference of the score."
        f"{of_same_subject(view)}"
    )


def _agreement_intervals(view: StudyView) -> str:
    """How intervals of agreement were computed; items that share subjects are not independent."""
    populations = [one.result.population for one in view.agreement.layers if one.result is not None]
    shared = any(one.clusters is not None for one in populations)
    return "intervals by the method that is named with each" + (
        " (the delete-one-subject jackknife for kappas and alphas of items that share subjects)" * shared
    )


def _wilson(view: StudyView) -> str:
    """The interval of shares, and of accuracy where templates are too few to stand for others; the beginning
    of a sentence.
    """
    how = "Wilson's interval with the effective sample size of the delete-one-subject jackknife"
    if not _few_kinds(view):
        return f"Shares for which no other method is named have {how}"
    elsewhere = made_elsewhere(view.tables.instances)
    why = f"questions {'under one subject id' if elsewhere else 'about one subject'} are not independent"
    if _one_each(view):
        why = "here each question is a subject of its own"
    return f"Accuracy, and shares for which no other method is named, have {how} ({why})"


def _few_kinds(view: StudyView) -> bool:
    return len({one.template_id for one in view.tables.instances}) < MIN_CLUSTERS


def _accuracy_interval(view: StudyView, kinds: str) -> str:
    """The interval of accuracy that holds for other templates too; empty if these are few."""
    if _few_kinds(view):
        return ""
    one = "kind" if made_elsewhere(view.tables.instances) else "template"
    subject = "under one subject id" if made_elsewhere(view.tables.instances) else "about one subject"
    return (
        f"As questions {subject} are not independent, nor are those of one {one}, accuracy has an "
        f"interval of other subjects and other {kinds} (two-way jackknife, its variance never under that by "
        f"subject or by {one} alone; Wilson's form with the effective sample size, t of the fewer of "
        f"the effective subjects and {kinds}, less one; of these {kinds} where there are under "
        f"{MIN_CLUSTERS}). "
    )


def _one_each(view: StudyView) -> bool:
    """Whether no subject has a second item, and no run a second answer to one."""
    items = view.tables.instances
    once = all(len(run.answers) == len(run.paired.answers) + run.failed for run in view.runs)
    return once and len({one.subject_id for one in items}) == len(items)


def _compared(view: StudyView) -> str:
    """How differences were tested; empty if nothing was compared."""
    ways = {one.representation for one in view.tables.instances if one.variant is None}
    compared = ["representations"] * (len(ways) > 1) + ["models"] * (len(view.runs) > 1)
    if not compared:
        return ""
    if _one_each(view) and compared == ["models"]:
        return (
            "Accuracy was compared between models on the same questions by McNemar's exact test, with the "
            f"interval of all differences that sign flips do not reject{_corrected(view)}. "
        )
    return (
        f"Accuracy was compared between {listed(compared)} on the same questions by exact sign flips of "
        f"whole "
        "subjects (McNemar's exact test where each subject has one question), with the interval of all "
        f"differences that sign flips do not reject{_corrected(view)}. "
    )


def _corrected(view: StudyView) -> str:
    """How p-values were corrected; empty for two models on another benchmark, which is one comparison."""
    if not made_elsewhere(view.tables.instances):
        return ", the comparison over all operations as gatekeeper, and Holm's method within"
    counted = ", its p-values times the number of pairs of models that count as tested"
    return counted * (len(view.runs) > 2)


def listed(names: list[str]) -> str:
    """Names as part of a sentence: `a, b and c`; empty without any."""
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)
