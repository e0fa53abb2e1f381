"""The section on contested items: faults that annotators claim, and accuracy without those items."""

from collections import Counter
from collections.abc import Collection

from clinicnum.annotations.consequences_of_upholding import accuracy_without, canonical_claim
from clinicnum.annotations.report.model_run import run_or_model
from clinicnum.annotations.report.near_duplicate_items import still_counted
from clinicnum.annotations.report.question_summary import made_elsewhere, templates_word, which_items
from clinicnum.annotations.report.report_content import Cell, Column, Gap, Section, Table
from clinicnum.annotations.report.sections.contested_item_conflicts import (
    NAMED,
    conflicts_said,
    conflicts_table,
)
from clinicnum.annotations.report.sections.share_cells import figure_cells, figure_columns, remarks
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.clustered_intervals import WILSON
from clinicnum.stats.jackknife import MIN_CLUSTERS, how_many

_ROUNDS = ("main", "repeat", "control", "training")
_TITLE = "Are the questions right?"


def contests_section(view: StudyView) -> Section:
    """The contests, and accuracy before and after; a gap if there are no contests."""
    contests = view.contests
    if not contests:
        why = "no annotator contests an item"
        return Section(
            id="contests", title=_TITLE, gaps=(Gap(what="Accuracy before and after contests", why=why),)
        )
    conflicts = conflicts_table(view)
    counts = {one: sum(other.status == one for other in contests) for one in ("open", "upheld", "rejected")}
    return Section(
        id="contests",
        title=_TITLE,
        paragraphs=(
            "A contest is a judgement that calls the item ambiguous or its gold wrong. "
            f"{how_many(len(contests), 'contest')} from all rounds: {counts['upheld']} upheld, "
            f"{counts['rejected']} rejected, {counts['open']} open.{_repeated(view)}{_claims(view)} "
            f"{_taken_out(view)}"
            f"{_open(view, counts['open'])}{_decided_apart(view)}{conflicts_said(view, conflicts)}",
        ),
        tables=(
            _before_and_after(view),
            _listed(view),
            *([] if conflicts is None else [conflicts]),
            *_invalidated(view),
        ),
    )


def _repeated(view: StudyView) -> str:
    """How many contests repeat one by the same annotator, and which of them is listed; empty without any."""
    n = len(view.tables.contests) - len(view.contests)
    if not n:
        return ""
    return (
        f" {n} more {'says' if n == 1 else 'say'} the same as one of these by the same annotator on the same "
        "generation and "
        f"{'is' if n == 1 else 'are'} not counted here; listed is the one that took instances out, else a "
        "decided one, else the first."
    )


def _rounds(view: StudyView) -> str:
    """How many contests match a judgement that counts, and which judgements the other contests come from."""
    counted = {(one.generation_id, one.annotator_id, one.item()) for one in view.chosen.annotations}
    rounds: dict[tuple[str, str, str], str] = {}
    shown: set[tuple[str, str, str]] = set()
    for one in view.tables.annotations:
        if one.item_judgement is None:  # locked before the reference
            continue
        key = (one.generation_id, one.annotator_id, one.item_judgement)
        if one.round == "main" and one.suggestion_shown:
            shown.add(key)
        rounds[key] = min(rounds.get(key, one.round), one.round, key=_ROUNDS.index)
    found = Counter[str]()
    for contest in view.contests:
        claimed = (contest.generation_id, contest.annotator_id, contest.kind)
        if claimed in counted:
            found["a judgement that counts"] += 1
        elif claimed in shown:
            found["a judgement with suggestions open"] += 1
        elif rounds.get(claimed, "main") == "main":
            found["a judgement that was revised since or does not count"] += 1
        else:
            found[f"the {rounds[claimed]} round"] += 1
    order = sorted(found.items(), key=lambda each: (each[0] != "a judgement that counts", each[0]))
    return ", ".join(f"{n} from {where}" for where, n in order)


def _taken_out(view: StudyView) -> str:
    """How many instances upheld contests exclude, and how many answers of how many models with them."""
    lost = [sum(one.instance.instance_id in view.invalidated for one in run.headline) for run in view.runs]
    models = f"{sum(n > 0 for n in lost)} of {how_many(len(lost), run_or_model(view.runs))}"
    return (
        f"Below, upheld contests take {how_many(len(view.invalidated), 'instance')} out of accuracy, "
        f"whoever answered them, right or wrong: {how_many(sum(lost), 'answer')} by {models}."
    )


def _claims(view: StudyView) -> str:
    """How many different claims about questions the contests make; empty if each makes its own."""
    claims = {
        (view.question(one.generation_id), canonical_claim(one.kind, one.proposed_gold))
        for one in view.contests
    }
    if len(claims) == len(view.contests):
        return ""
    questions = len({question for question, _ in claims})
    return (
        " Contests by several annotators, or on several answers, can say the same of an instance: they make "
        f"{how_many(len(claims), 'claim')} about {how_many(questions, 'instance')}."
    )


def _open(view: StudyView, n: int) -> str:
    """Explains the last column, which equals the one before it if no contest is open."""
    if not n:
        return " As no contest is open, the last column repeats the one before."
    ways = ", in every representation"
    if made_elsewhere(view.tables.instances):
        ways = " on them or on a variant" * any(one.variant for one in view.tables.instances)
    return f" The last column takes the questions with an open contest{ways} out as well."


def _decided_apart(view: StudyView) -> str:
    """A sentence on open contests of answers on which an adjudicator decided; empty without any."""
    decided = {
        one.contest_id
        for one in view.contests
        if one.status == "open" and one.generation_id in view.decisions
    }
    n = len(decided)
    on = "is on an answer" if n == 1 else "are on answers"
    return (
        f" {n} of the open ones {on} on which an adjudicator's "
        "decision stands: that settles the judgements of the answer, also on its item, and no contest."
    ) * bool(n)


def _without_open(view: StudyView) -> frozenset[str]:
    """Ids of the invalidated instances, and of all instances of questions (records and wording) with an open
    contest.
    """
    doubted = {view.instance(one.generation_id).group_id for one in view.contests if one.status == "open"}
    return view.invalidated | {one.instance_id for one in view.tables.instances if one.group_id in doubted}


def _of_whom(view: StudyView) -> str:
    """A clause on the population for which the interval below holds, if that of the report's first section
    holds for a wider one; otherwise empty.
    """
    kinds = templates_word(view.tables.instances)
    if len({one.template_id for one in view.tables.instances}) < MIN_CLUSTERS:
        return ""
    return f", for other subjects and these {kinds}; that of the first section also holds for other {kinds}"


def _before_and_after(view: StudyView) -> Table:
    rows: list[tuple[Cell, ...]] = []
    leaving: tuple[Collection[str], ...] = ((), view.invalidated, _without_open(view))
    for run in view.runs:
        answers = [(one.subject, one.instance.instance_id, one.right) for one in run.headline]
        figures = [accuracy_without(answers, without) for without in leaving]
        cells = [cell for figure in figures for cell in figure_cells(figure)]
        rows.append((run.name, *cells, remarks(*figures)))
    return Table(
        id="accuracy_after_contests",
        caption="Accuracy before and after contests",
        note=f"Unit: generations{which_items(view.tables.instances)}. Nothing is scored anew: an instance "
        "that was taken out leaves the figure, it does not change sides. "
        f"Interval: {WILSON}{_of_whom(view)}.",
        trace="scores.csv: run_id, status, lenient, instance_id, group_id, subject_id, variant, flags; "
        "invalidations.csv: instance_id; "
        "contests.csv: instance_id, status",
        columns=(
            Column(key="model", label="Model"),
            *figure_columns("before", "As scored"),
            *figure_columns("without_upheld", "Without upheld"),
            *figure_columns("without_contested", "Without upheld and open"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
    )


def _invalidated(view: StudyView) -> tuple[Table, ...]:
    """Invalidated instances by contest and rule; empty if no contest was upheld."""
    counts = Counter((one.contest_id, one.rule) for one in view.tables.invalidations)
    known = {one.instance_id for one in view.tables.instances}
    answered = Counter(
        (one.contest_id, one.rule) for one in view.tables.invalidations if one.instance_id in known
    )
    if not counts:
        return ()
    whole = "its kind" if made_elsewhere(view.tables.instances) else "that template version"
    return (
        Table(
            id="invalidated",
            caption="Instances taken out",
            note=f"Unit: instances of the benchmark; n = {len(view.invalidated)}. A rule is one of "
            f"clinicnum lint: it found the fault in the contested instance, was tested on every instance of "
            f"{whole}, and these failed it. “By hand”: no such rule applies, or none found a fault; “group” "
            f"takes out all instances with the group id of the contested one, “template version” all of "
            f"{whole}.{_in_other_words(view)} “Answered here”: instances that a model of this study "
            "answered.",
            trace="invalidations.csv: contest_id, rule, instance_id; scores.csv: instance_id",
            columns=(
                Column(key="contest_id", label="Contest", kind="code"),
                Column(key="rule", label="Rule", kind="code"),
                Column(key="n", label="Instances", kind="count"),
                Column(key="answered", label="Answered here", kind="count"),
            ),
            rows=tuple((*key, n, answered[key]) for key, n in counts.items()),
        ),
    )


def _in_other_words(view: StudyView) -> str:
    """A sentence that names items which stay though they may ask the same as one that was taken out; empty
    without any.
    """
    left = still_counted(view.tables.instances, view.invalidated)
    if not left:
        return ""
    asked = (
        "the options and gold" if any(one.options for one in view.tables.instances) else "text and question"
    )
    words = ", which may ask the same in other words," * (asked == "the options and gold")
    named = ", ".join(left[:NAMED]) + ", ..." * (len(left) > NAMED)
    return (
        f" {how_many(len(left), 'item')} with {asked} of one that was taken out{words} "
        f"{'stays' if len(left) == 1 else 'stay'}: {named}."
    )


def _listed(view: StudyView) -> Table:
    contests = view.contests
    return Table(
        id="contests",
        caption="Contested items",
        note=f"Unit: contests; n = {len(contests)}, of every round: {_rounds(view)}. Accuracy "
        "elsewhere in this report counts every item, contested or not.",
        trace="annotations.csv: annotation_id, round, item_judgement, proposed_gold, generation_id; "
        "scores.csv: instance_id, gold; status, decision and reason as the study keeps them",
        columns=(
            Column(key="contest_id", label="Contest", kind="code"),
            Column(key="instance_id", label="Instance", kind="code"),
            Column(key="kind", label="Claim"),
            Column(key="gold", label="Gold"),
            Column(key="proposed_gold", label="Proposed"),
            Column(key="status", label="Status"),
            Column(key="decided_by", label="Decided by"),
            Column(key="comment", label="Why"),
        ),
        rows=tuple(
            (
                one.contest_id,
                view.question(one.generation_id),
                one.kind.replace("_", " "),
                view.instance(one.generation_id).answer,
                one.proposed_gold,
                one.status,
                one.decided_by,
                one.comment,
            )
            for one in contests
        ),
    )
