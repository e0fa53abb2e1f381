"""The main part on models: accuracy by operation and representation, sorted, on one axis, and who differs."""

from collections.abc import Mapping, Sequence

from clinicnum.annotations.report.answer_parsing_notes import hardly_read, sources_of_readings
from clinicnum.annotations.report.model_ranking import (
    differing_items,
    none_compared,
    ranking,
    same_items,
    tested_pairs,
)
from clinicnum.annotations.report.model_run import (
    ModelRun,
    asked_differently,
    listed,
    one_model_asked_twice,
    run_or_model,
)
from clinicnum.annotations.report.question_summary import (
    made_elsewhere,
    subjects_word,
    templates_word,
)
from clinicnum.annotations.report.report_content import Cell, Column, Dot, Plot, Section, Table
from clinicnum.annotations.report.sections.share_cells import OPERATION_ORDER, REPRESENTATION_ORDER, ends
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.accuracy import ALL, AccuracyRow
from clinicnum.stats.jackknife import MIN_CLUSTERS
from clinicnum.stats.rounded_figures import percent

Part = tuple[str, str]
"""Operation and representation, at least one of them `all`."""


def models_section(view: StudyView) -> Section:
    """One figure of all models, and their accuracy with the letters of the corrected comparison."""
    several = len(view.runs) > 1
    return Section(
        id="models",
        title=f"Which {run_or_model(view.runs)}s do best, and where?"
        if several
        else "Where is the model right?",
        holds_labels=False,
        main=True,
        paragraphs=(_letters_rule(view) + one_model_asked_twice(view.runs) + asked_differently(view.runs),)
        if several
        else (),
        plots=_plots(view)
        if several
        else tuple(one_model(view, 1, run) for run in view.runs if run.headline),
        tables=(_table(view),),
    )


def letters_needed(view: StudyView) -> bool:
    """Whether there are several models and at least one tested difference between them."""
    return len(view.runs) > 1 and tested_pairs(view) > 0


def _letters_rule(view: StudyView) -> str:
    what = run_or_model(view.runs)
    if not letters_needed(view):
        return f"{what.capitalize()}s are sorted by accuracy. {none_compared(view)}."
    pairs = tested_pairs(view)
    told = _told_apart(view)
    alike = [part[0] for part in _parts(view) if part[1] == ALL and part not in told]
    all_pairs = len(view.runs) * (len(view.runs) - 1) // 2
    untested = f" {all_pairs - pairs} of {all_pairs} pairs could not be tested, and share letters too."
    none = f" In {listed(alike)} no two {what}s could be told apart." if alike else ""
    return (
        f"{what.capitalize()}s are sorted by accuracy. Those that share a letter in a column could not be "
        "told apart on the questions on which an answer of both counts: exact sign flips of whole subjects, "
        f"corrected for {pairs} pair{'s' * (pairs != 1)} of {what}s"
        f"{', and by Holm for the operations within a pair' * (len(_parts(view)) > 1)}. “Not told apart” "
        f"does not say that they are equally good.{untested * (all_pairs > pairs)}{none} All pairs: "
        "model_differences.csv."
    )


def _parts(view: StudyView) -> list[Part]:
    """The (operation, representation) of each panel: all, each operation, each representation; no panels
    where there is only one, and for imported items one of all.
    """
    if made_elsewhere(view.tables.instances):
        return [(ALL, ALL)]
    seen = {(row.operation, row.representation) for run in view.runs for row in run.accuracy.rows}
    of = [one for one in OPERATION_ORDER if (one, ALL) in seen]
    written = [one for one in REPRESENTATION_ORDER if (ALL, one) in seen]
    return [
        (ALL, ALL),
        *((one, ALL) for one in of if len(of) > 1),
        *((ALL, one) for one in written if len(written) > 1),
    ]


def _row(run: ModelRun, part: Part) -> AccuracyRow | None:
    found = [row for row in run.accuracy.rows if (row.operation, row.representation) == part]
    return found[0] if found and found[0].accuracy is not None else None


def _title(part: Part) -> str:
    operation, representation = part
    return operation if representation == ALL else f"as {representation}"


def _plots(view: StudyView) -> tuple[Plot, ...]:
    dots = [
        Dot(row=run.name, series=_title(part), value=row.accuracy, interval=ends(row.interval))
        for part in _parts(view)
        for run in view.ranked
        if (row := _row(run, part)) is not None and row.accuracy is not None
    ]
    if not dots:
        return ()
    said = "; ".join(f"{dot.series}, {dot.row} {percent(dot.value, 0)} %" for dot in dots)
    ends_of_order = (dots[0].row, [dot.row for dot in dots if dot.series == ALL][-1])
    what = ("highest accuracy over all", "lowest accuracy over all")
    return (
        Plot(
            id="models",
            kind="panels",
            caption="Accuracy of every model with 95 % intervals, sorted by accuracy over all.",
            alt=f"Accuracy by model: {said}.",
            table="models",
            dots=tuple(dots),
            marked=tuple(zip(ends_of_order, what, strict=True)) if same_items(view) else (),
        ),
    )


def one_model(view: StudyView, number: int, run: ModelRun) -> Plot:
    """A plot of one model's accuracy by operation, with a series for each representation; `number` makes its
    id.
    """
    elsewhere = made_elsewhere(view.tables.instances)
    dots = [
        Dot(row=row.operation, series=row.representation, value=row.accuracy, interval=ends(row.interval))
        for row in run.accuracy.rows
        if row.accuracy is not None and row.representation != ALL and (row.operation == ALL or not elsewhere)
    ]
    said = "; ".join(
        f"{'' if elsewhere else f'{dot.row} {dot.series} '}{percent(dot.value, 0)} %" for dot in dots
    )
    return Plot(
        id=f"accuracy_{number}",
        kind="dots",
        caption=f"Accuracy of {run.name} with 95 % intervals.",
        alt=f"Accuracy of {run.name}: {said}.",
        table="accuracy_main",
        dots=tuple(dots),
    )


CORRECTION = " (the sentence named, or that there is none; the correction does not count)"


def medec(view: StudyView) -> bool:
    """Whether any item is a MEDEC note, whose correction is not scored."""
    return any(one.scoring == "medec" for one in view.tables.instances)


def _table(view: StudyView) -> Table:
    parts, letters = _parts(view), _told_apart(view)
    kinds = templates_word(view.tables.instances)
    of = len({one.template_id for one in view.tables.instances})
    other = f"other {kinds}" if of >= MIN_CLUSTERS else f"these {kinds}"
    under = len(parts) > 1 and of >= MIN_CLUSTERS
    column = f" (of a column with under {MIN_CLUSTERS} {kinds}, for these)" * under
    n = "; by operation and representation it is shown where models differ, else in models.csv" * (
        len(parts) > 1
    )
    columns: list[Column] = [Column(key="model", label="Model")]
    for part in parts:
        columns += _columns(part, letters=part in letters)
    return Table(
        id="models",
        caption="Accuracy of every model" if len(view.runs) > 1 else "Accuracy",
        note=f"Accuracy: lenient{CORRECTION * medec(view)}, with its 95 % interval, which holds for other "
        f"{subjects_word(view.tables.instances)} and {other}{column}; no interval under 5 subjects or 10 "
        f"generations. n: generations that count{n}.{differing_items(view)}{hardly_read(view.runs)}",
        trace=f"scores.csv: run_id{', instance_id' * (len(view.runs) > 1)}, status, lenient, operation, "
        f"representation, subject_id, template_id, variant, flags{sources_of_readings(view.runs)}",
        columns=tuple(columns),
        rows=tuple(_cells(run, parts, letters) for run in view.ranked),
    )


def _told_apart(view: StudyView) -> dict[Part, dict[str, str]]:
    """Operation on which at least two models differ -> each model's letters; `all` always; empty if nothing
    was tested.
    """
    if not letters_needed(view):
        return {}
    found = {part: ranking(view, part[0]) for part in _parts(view) if part[1] == ALL}
    return {part: one.letters for part, one in found.items() if one.differ or part == (ALL, ALL)}


def _columns(part: Part, *, letters: bool) -> list[Column]:
    key, name = "_".join(one for one in part if one != ALL) or ALL, _title(part)
    columns = [
        Column(key=key, label=name, kind="share"),
        Column(key=f"{key}_ci95", label="95 % interval", kind="share_interval", under=True),
    ]
    if part == (ALL, ALL):
        columns.append(Column(key="n", label="n", kind="count"))
    else:
        columns.append(Column(key=f"{key}_n", label="n", kind="count", under=True, once=True))
    if letters:
        columns.append(Column(key=f"{key}_letters", label="letters", under=part != (ALL, ALL)))
    return columns


def _cells(run: ModelRun, parts: Sequence[Part], letters: Mapping[Part, dict[str, str]]) -> tuple[Cell, ...]:
    cells: list[Cell] = [run.name]
    for part in parts:
        row = _row(run, part)
        cells += [None, None] if row is None else [row.accuracy, ends(row.interval)]
        cells.append(None if row is None else row.n)
        if part in letters:
            cells.append(letters[part].get(run.name))
    return tuple(cells)
