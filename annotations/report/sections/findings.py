"""Page one: what the study found, in plain sentences, each with its number, interval and table.

A model is called best or worst only if it differs from every other in the corrected comparison.
"""

from collections.abc import Iterator, Mapping, Sequence

from clinicnum.annotations.report.model_ranking import (
    Ranking,
    difference_of_two,
    none_compared,
    ranking,
    same_items,
    tested_pairs,
)
from clinicnum.annotations.report.model_run import (
    asked_differently,
    in_a_sentence,
    listed,
    run_or_model,
)
from clinicnum.annotations.report.question_summary import made_elsewhere, subjects_word, templates_word
from clinicnum.annotations.report.report_content import Cell, Finding, Table
from clinicnum.annotations.report.sampled_population import part_said, with_variants
from clinicnum.annotations.report.sections.consensus_wording import NO_CLASS, by, in_sight
from clinicnum.annotations.report.sections.criteria import criteria_finding
from clinicnum.annotations.report.sections.cut_off_failures import all_cut_off
from clinicnum.annotations.report.sections.failure_maps import (
    all_failures,
    everything,
    most_of_one_model,
    of_judged_models,
    of_one_model,
    of_values_only,
)
from clinicnum.annotations.report.sections.harm_finding import harm_finding
from clinicnum.annotations.report.sections.limitations_finding import doubts
from clinicnum.annotations.report.sections.share_cells import OPERATION_ORDER, ends, remarks
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.accuracy import ALL, AccuracyRow
from clinicnum.stats.interval_estimate import Figure
from clinicnum.stats.jackknife import MIN_CLUSTERS, Interval, how_many
from clinicnum.stats.paired_tests import LEVEL
from clinicnum.stats.rounded_figures import percent
from clinicnum.taxonomy_codes import UNDETERMINED

MOST_NAMED = 3
"""Most models or classes that a sentence names; the table has all."""


def findings(view: StudyView, gaps: int, differences: Table | None) -> tuple[Finding, ...]:
    """The findings in the order of a reader's questions.

    `gaps`: number of things the report cannot state; `differences`: table between representations.
    """
    if not any(run.headline for run in view.runs):
        return ()
    found = [
        *criteria_finding(view),
        *_accuracy(view),
        *_by_operation(view),
        *_by_representation(differences),
    ]
    return (*found, *_classes(view), *harm_finding(view), *_agreement(view), *doubts(view, gaps))


def _percent(value: float | None, interval: Interval) -> str:
    """`71.2 % (95 % interval 60.1 to 80.3)`."""
    if value is None:
        return "no share"
    limits = ends(interval)
    said = f" (95 % interval {percent(limits[0])} to {percent(limits[1])})" if limits else " (no interval)"
    return f"{percent(value)} %{said}"


def _of_row(row: AccuracyRow) -> str:
    return _percent(row.accuracy, row.interval)


def _first(names: Sequence[str]) -> str:
    """The first models, and how many more there are."""
    more = len(names) - MOST_NAMED
    return listed([*map(in_a_sentence, names[:MOST_NAMED]), *[how_many(more, "other")] * (more > 0)])


def _accuracy(view: StudyView) -> Iterator[Finding]:
    overall = ranking(view)
    if len(view.runs) == 1:
        (name, row), *_ = overall.rows.items()
        text = f"{name} was right in {_of_row(row)} of {how_many(row.n, 'answer')}."
        yield Finding(topic="Accuracy", text=f"{text} {_scope(view)}", table="models")
        return
    if not same_items(view):
        text = (
            f"The {len(view.runs)} {run_or_model(view.runs)}s answered different items, so their accuracies "
            "do not order them; "
            f"{_pairs_told(view)} on the items that both answered."
        )
        yield Finding(topic="Models", text=text, table="model_differences")
        return
    asked = asked_differently(view.runs)
    yield Finding(
        topic="Models",
        text=f"{_ends_of(view, overall)}{asked} {_scope(view)}",
        table="models",
        more_tables=("model_differences",) * bool(tested_pairs(view)) + ("provenance",) * bool(asked),
    )


def _ends_of(view: StudyView, overall: Ranking) -> str:
    """The models with the highest and the lowest accuracy, and whether they are told from the others."""
    pairs = tested_pairs(view)
    (best, top), (worst, low) = (list(overall.rows.items())[place] for place in (0, -1))
    if top.accuracy == low.accuracy:
        return f"All {run_or_model(view.runs)}s have the same accuracy: {_of_row(top)} for {best}."
    if not pairs:
        return (
            f"Highest accuracy: {_of_row(top)}, {in_a_sentence(best)}. Lowest: {_of_row(low)}, "
            f"{in_a_sentence(worst)}. {none_compared(view)}; the order may be chance."
        )
    highest = f"Highest accuracy: {_of_row(top)}, {in_a_sentence(best)}, {_standing(overall, best, 'better')}"
    lowest = f"Lowest: {_of_row(low)}, {in_a_sentence(worst)}"
    if len(overall.names) == 2:
        return f"{highest}. {lowest}. {difference_of_two(view)}"
    return (
        f"{highest}. {lowest}, {_standing(overall, worst, 'worse')}. "
        f"Differences are corrected for {how_many(pairs, 'pair')} of {run_or_model(view.runs)}s; they speak "
        f"of other subjects and these {templates_word(view.tables.instances)}."
    )


def _pairs_told(view: StudyView) -> str:
    told, pairs = len(ranking(view).differ), tested_pairs(view)
    differ = "differs" if told == 1 else "differ"
    return f"{told} of {how_many(pairs, 'pair')} that could be tested {differ} after correction"


def _scope(view: StudyView) -> str:
    kinds = templates_word(view.tables.instances)
    of = len({one.template_id for one in view.tables.instances})
    other = "other" if of >= MIN_CLUSTERS else "these"
    return f"Intervals of accuracy hold for other {subjects_word(view.tables.instances)} and {other} {kinds}."


def _standing(found: Ranking, name: str, word: str) -> str:
    """Whether a model at an end of the order is told apart from all others."""
    alike, others = found.alike(name), len(found.names) - 1
    if not alike:
        return f"which is {word} than {'the other model' if others == 1 else f'each of the {others} others'}"
    if len(alike) == others:
        return f"which cannot be told apart from {'the other model' if others == 1 else 'any other model'}"
    rest = how_many(others - len(alike), "other")
    return f"which cannot be told apart from {_first(alike)} but is {word} than {rest}"


def _by_operation(view: StudyView) -> Iterator[Finding]:
    if made_elsewhere(view.tables.instances):
        return
    rows = [
        row for row in everything(view).accuracy.rows if row.representation == ALL and row.operation != ALL
    ]
    ordered = sorted((row for row in rows if row.accuracy is not None), key=lambda row: row.accuracy or 0.0)
    if len(ordered) < 2:
        return
    models = f" over all {run_or_model(view.runs)}s" if len(view.runs) > 1 else ""
    text = f"Accuracy{models} {_ends_of_operations(ordered[0], ordered[-1])}."
    if len(view.runs) > 1 and same_items(view) and tested_pairs(view):
        text += f" {_best_by_operation(view)}"
    yield Finding(topic="Operations", text=text, table="models" if len(view.runs) > 1 else "accuracy_main")


def _ends_of_operations(worst: AccuracyRow, best: AccuracyRow) -> str:
    if worst.accuracy == best.accuracy:
        return f"is the same in all operations: {percent(best.accuracy or 0.0)} %"
    return (
        f"is lowest in {worst.operation}, {_of_row(worst)}, and highest in {best.operation}, "
        f"{_of_row(best)}; different questions, so not a paired comparison"
    )


def _best_by_operation(view: StudyView) -> str:
    told, alike = [], []
    for operation in OPERATION_ORDER:
        found = ranking(view, operation)
        if len(found.rows) < 2:
            continue
        best = found.names[0]
        if found.alike(best):
            alike.append(operation)
        else:
            right = _of_row(found.rows[best])
            told.append(f"in {operation} {in_a_sentence(best)} is better than each other model, {right}")
    none = f"in {listed(alike)} no model can be told apart from all others" if alike else ""
    said = "; ".join(filter(None, [*told, none]))
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _by_representation(table: Table | None) -> Iterator[Finding]:
    """The finding on differences between representations, from their `table`; nothing if no difference could
    be tested.
    """
    whole = [row for row in table.rows if table.cell(row, "operation") == ALL] if table else []
    cells = [{key: table.cell(row, key) for key in table.keys} for row in whole] if table else []
    tested = [one for one in cells if isinstance(one["p_corrected"], float)]
    if not tested:
        return
    held = [one for one in tested if isinstance(p := one["p_corrected"], float) and p < LEVEL]
    between = "between ways of writing the records"
    if held:
        hold = "holds" if len(held) == 1 else "hold"
        text = (
            f"{len(held)} of {how_many(len(cells), 'difference')} {between} {hold} after correction. "
            f"{_largest(held)}"
        )
    elif len(cells) == 1:
        text = f"The difference {between} does not hold after correction."
    else:
        told = f"holds after correction; {len(tested)} could be tested"
        text = f"None of {len(cells)} differences {between} {told}."
    yield Finding(topic="Representations", text=text, table="accuracy_differences")


def _largest(held: Sequence[Mapping[str, Cell]]) -> str:
    """The largest of these differences, which hold after correction, as a sentence."""

    def lost(one: Mapping[str, Cell]) -> float:
        return found if isinstance(found := one["difference"], float) else 0.0

    largest = max(held, key=lambda one: abs(lost(one)))
    first, _, second = str(largest["difference_of"]).partition(" - ")
    worse, better = (first, second) if lost(largest) < 0 else (second, first)
    limits = largest["ci95"]
    interval = ""
    if isinstance(limits, tuple) and limits[0] * limits[1] > 0:
        low, high = sorted(map(abs, limits))
        interval = f" (95 % interval {percent(low)} to {percent(high)})"
    return (
        f"The largest: {in_a_sentence(str(largest['model']))} loses {percent(abs(lost(largest)))} "
        f"percentage points{interval} where the same questions are written as {worse} and not as {better}."
    )


def _classes(view: StudyView) -> Iterator[Finding]:
    failures = view.once(all_failures)
    classes = [one.code for one in view.tables.taxonomy_codes if "." not in one.code]
    shares = [(view.names[code], failures.share(code), failures.count(code)) for code in classes]
    told = [one for one in shares if one[2] and one[0] != view.names.get(UNDETERMINED)]
    seen = sorted(told, key=lambda one: (-(one[1].value or 0.0), one[0]))
    apart = besides = ""
    if failures.count(UNDETERMINED):
        share = _of_figure(failures.share(UNDETERMINED))
        apart = f" Of {share} of failures the class cannot be told ({view.names[UNDETERMINED]})."
        besides = f", {view.names[UNDETERMINED]} apart"
    if not seen and apart:
        yield Finding(topic="Failures", text=apart.strip(), table="failure_shares", holds_labels=True)
    if not seen:
        return
    n = sum(one is not None for one in failures.classes)
    named = [one for place, one in enumerate(seen) if place < MOST_NAMED or one[2] >= seen[MOST_NAMED - 1][2]]
    alone = {view.names[code]: of_one_model(view, code) + all_cut_off(view, code) for code in classes}
    said = "; ".join(f"{name} {_of_figure(figure)}{alone[name]}" for name, figure, _ in named)
    open_, of_none = failures.count(NO_CLASS), percent(failures.share(NO_CLASS).value or 0.0)
    only, over, values = remarks(seen[0][1]), of_judged_models(view), of_values_only(view)
    text = (
        f"The commonest class{'es' * (len(seen) > 1)} of failure{besides}{',' * bool(besides and over)}"
        f"{over}: {said}{'; their order is not tested' * (len(named) > 1)}. "
        f"Shares of all failures, estimated from "
        f"{n} settled {by(view.protocol)}{with_variants(view)}{most_of_one_model(view)}"
        f"{f'; {values}' * bool(values)}"
        f"{f', of which {open_} have no agreed class (weighted, {of_none} %)' * bool(open_)}; intervals "
        f"hold for other {subjects_word(view.tables.instances)}"
        f"{f' ({only})' * bool(only)}.{apart}{part_said(view)}"
    )
    yield Finding(topic="Failures", text=text, table="failure_shares", holds_labels=True)


def _of_figure(figure: Figure) -> str:
    return _percent(figure.value, figure.interval)


def _agreement(view: StudyView) -> Iterator[Finding]:
    layer = view.agreement.layer("primary").result
    if layer is None:
        return
    alpha = layer.coefficient("krippendorff_alpha_nominal")
    if alpha.value is None:
        text = f"Agreement on the class is undefined: {alpha.undefined}."
    else:
        limits = (
            f" (95 % interval {alpha.ci95[0]:.2f} to {alpha.ci95[1]:.2f})" if alpha.ci95 else " (no interval)"
        )
        text = (
            "Annotators' agreement on the class, “none” included, is Krippendorff's alpha "
            f"{alpha.value:.2f}{limits} on {how_many(alpha.n_items, 'answer')}{in_sight(view)}; 1 is "
            "perfect, 0 chance."
        )
    yield Finding(topic="Agreement", text=text, table="agreement_summary", holds_labels=True)
