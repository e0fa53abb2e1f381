"""The main part on failures: classes by model and by operation with zeros shown, and severity by model."""

from collections.abc import Iterable, Sequence

from clinicnum.annotations.judgement import SEVERITIES, Severity
from clinicnum.annotations.report.answer_parsing_notes import only_readings
from clinicnum.annotations.report.failure_class_shares import JudgedGenerations, failures_of, run_failures
from clinicnum.annotations.report.harm_rate import HARM, METHOD, HarmRate, run_harm
from clinicnum.annotations.report.model_run import ModelRun, in_a_sentence, listed
from clinicnum.annotations.report.question_summary import made_elsewhere
from clinicnum.annotations.report.report_content import Cell, Column, Dot, Plot, Section, Table
from clinicnum.annotations.report.sampled_population import part_said
from clinicnum.annotations.report.sections.consensus_wording import (
    BESIDE,
    NO_CLASS,
    TO_SCORE,
    by,
    doubted_failures,
    severity_rule,
    taken_out_trace,
    without_response,
)
from clinicnum.annotations.report.sections.share_cells import OPERATION_ORDER, ends, remarks
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.accuracy import ALL
from clinicnum.stats.partial_verification import METHOD as SHARE_METHOD
from clinicnum.stats.rounded_figures import percent

_CROSSED_OUT = "; cells are crossed out where the table gives no share"


def failure_maps_section(view: StudyView) -> Section:
    """Failure classes as tables and heat maps, and how harmful each model's failures are; without judged
    answers, an empty section.
    """
    if not view.settlements:
        return Section(id="failures", title="What goes wrong, and how badly?", main=True)
    several = len(view.runs) > 1
    operations = [] if made_elsewhere(view.tables.instances) else _by_operation(view)
    tables: list[Table] = []
    plots: list[Plot] = []
    for key, groups in (
        ("model", view.ranked if several or not operations else ()),
        ("operation", operations),
    ):
        if groups:
            tables.append(_class_table(view, key, groups))
            plots += _heat(view, tables[-1], key)
    harm = _harm_table(view)
    return Section(
        id="failures",
        title="What goes wrong, and how badly?",
        main=True,
        plots=(*plots, *_harm_plot(harm)),
        tables=(*tables, harm),
    )


def everything(view: StudyView) -> ModelRun:
    """All runs merged into one."""
    if len(view.runs) == 1:
        return view.runs[0]
    answers = tuple(one for run in view.runs for one in run.answers)
    return ModelRun(ALL, answers, keeps_readings=only_readings(view.runs))


def all_failures(view: StudyView) -> JudgedGenerations:
    """The failures of all runs together, by the consensus that results rest on."""
    if len(view.runs) == 1:
        return view.once(run_failures)[view.runs[0].name]
    return failures_of(view, everything(view), view.settlements)


def most_of_one_model(view: StudyView) -> str:
    """Number of settled failures of the model that has most, as a bracketed part of a sentence; empty with
    one model or a tie.
    """
    if len(view.runs) == 1:
        return ""
    counts = {
        name: sum(code is not None for code in one.classes) for name, one in view.once(run_failures).items()
    }
    most = max(counts.values())
    of = [name for name, n in counts.items() if n == most]
    return f" ({most} of them of {in_a_sentence(of[0])})" if most and len(of) == 1 else ""


def of_one_model(view: StudyView, code: str) -> str:
    """The only one of several models with settled failures of a class, after a comma; empty if others have
    some, too.
    """
    of = [name for name, one in view.once(run_failures).items() if one.count(code)]
    return f", all of {in_a_sentence(of[0])}" if len(of) == 1 < len(view.runs) else ""


def of_values_only(view: StudyView) -> str:
    """How many settled failures of several models are stored values, which need not show their class, as part
    of a sentence; empty if none is, or all are.
    """
    found = view.once(run_failures).values()
    n = sum(_failed(one) for one in found if one.values_only)
    said = f"{n} are values that MedCalc-Bench's script kept, which need not show their class"
    return said * bool(n and n < sum(map(_failed, found)))


def of_judged_models(view: StudyView) -> str:
    """Which models are pooled for failures, as part of a sentence; empty with one model."""
    if len(view.runs) == 1:
        return ""
    failed = {name for name, one in view.once(run_failures).items() if _failed(one)}
    others = [run.name for run in view.runs if run.name not in failed]
    if not others:
        return " over all models"
    drawn = {name for name, one in view.once(run_failures).items() if one.drawn}
    whys = {
        "no failure is settled": [one for one in others if one in drawn],
        "no answer was drawn": [one for one in others if one not in drawn],
    }
    said = [f"of {listed([*map(in_a_sentence, names)])} {why}" for why, names in whys.items() if names]
    return f" over {len(failed)} of {len(view.runs)} models ({'; '.join(said)})"


def _by_operation(view: StudyView) -> list[ModelRun]:
    answers = everything(view).answers
    of = {one.instance.operation for one in answers}
    return [
        ModelRun(name, tuple(one for one in answers if one.instance.operation == name))
        for name in OPERATION_ORDER
        if name in of
    ]


def _class_table(view: StudyView, key: str, groups: Iterable[ModelRun]) -> Table:
    """One row for each group and class, classes without a failure too."""
    classes = [one.code for one in view.tables.taxonomy_codes if "." not in one.code]
    rows: list[tuple[Cell, ...]] = []
    for group in groups:
        failures = (
            view.once(run_failures)[group.name]
            if key == "model"
            else failures_of(view, group, view.settlements)
        )
        for code in (*classes, NO_CLASS):
            figure = failures.share(code)
            cells = (failures.count(code), _failed(failures), figure.value, ends(figure.interval))
            rows.append(
                (group.name, view.names.get(code, code), *cells, len(failures.classes), remarks(figure))
            )
    together = f";{of_judged_models(view)}" * (key == "operation" and len(view.runs) > 1)
    return Table(
        id=f"classes_by_{key}",
        caption=f"Classes of failure by {key}",
        note=f"Unit: generations that are failures {by(view.protocol)}{doubted_failures(view)}; share of the "
        f"failures of the {key}, weighted by 1 / inclusion probability{TO_SCORE}; counts and n are "
        f"unweighted{together}. Interval: {SHARE_METHOD}. 0: no failure of that class is settled; a "
        "blank share: the row's note says why. Answers counted: those settled as right or as a failure."
        f"{without_response(view)}{part_said(view)}",
        trace=f"{BESIDE}; scores.csv: run_id, instance_id, operation, lenient, subject_id, "
        f"inclusion_probability{taken_out_trace(view)}",
        in_files=True,
        columns=(
            Column(key=key, label=key.capitalize()),
            Column(key="class", label="Class"),
            Column(key="count", label="Failures", kind="count"),
            Column(key="n", label="n", kind="count"),
            Column(key="share", label="Share", kind="share"),
            Column(key="ci95", label="95 % interval", kind="share_interval", under=True),
            Column(key="judged", label="Answers counted", kind="count"),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
    )


def _failed(failures: JudgedGenerations) -> int:
    return sum(one is not None for one in failures.classes)


def _heat(view: StudyView, table: Table, key: str) -> tuple[Plot, ...]:
    heads = {str(row[0]): f"{row[0]} ({table.cell(row, 'n')})" for row in table.rows}
    dots = [
        Dot(row=str(row[1]), series=heads[str(row[0])], value=share, interval=None, count=count)
        for row in table.rows
        if isinstance(share := table.cell(row, "share"), float)
        and isinstance(count := table.cell(row, "count"), int)
        and (row[1] != NO_CLASS or any(one[1] == NO_CLASS and one[2] for one in table.rows))
    ]
    if not dots:
        return ()
    said = "; ".join(f"{dot.series}, {dot.row} {dot.count}, {percent(dot.value, 0)} %" for dot in dots)
    blank = len(heads) * len({dot.row for dot in dots}) - len(dots)
    return (
        Plot(
            id=f"classes_by_{key}",
            kind="heat",
            caption=f"Classes of failure by {key}, {by(view.protocol)}: failures counted, and their weighted "
            f"share of the failures of the {key}; the stronger the colour, the larger the share. In "
            f"brackets the failures of each{_CROSSED_OUT * bool(blank)}.",
            alt=f"Classes of failure by {key}: {said}.{f' Cells without a share: {blank}.' * bool(blank)}",
            table=table.id,
            dots=tuple(dots),
            series=tuple(heads.values()),
        ),
    )


def _harm_table(view: StudyView) -> Table:
    rates = view.once(run_harm)
    other = any(rate.levels.get("not_applicable") for rate in rates.values())
    levels = [one for one in SEVERITIES if one != "not_applicable" or other]
    weights = ", ".join(f"{level} as {HARM[level]:g}" for level in SEVERITIES if level != "not_applicable")
    return Table(
        id="harm",
        caption="Failures per 100 answers, weighted by their harm" + ", by model" * (len(view.runs) > 1),
        note=f"A failure of severity {weights}; an answer settled as no failure counts as 0"
        f"{', and so does a severity that is not applicable' * other}. After Dean and "
        "Barber's scale (1999), which ends at death alone; equal steps are a convention. Severity is worst "
        "credible harm, 0 none to 4 death or permanent harm: "
        f"{severity_rule(view)}. Of all answers to the run's "
        "questions (variants only if some were drawn): the shares scored wrong and right are counted, the "
        "harm of each is estimated from those settled, weighted by 1 / inclusion probability. The 95 % "
        f"interval holds for other subjects: {METHOD}; as if each harm were 0 or 1, so rather too wide; harm "
        "that nobody saw among answers scored right is allowed for "
        "where some of these are settled. Failures without a settled severity are in no rate and not among "
        "the answers counted. Failures by severity, “not settled” among them, are counts of settled failures"
        f"{doubted_failures(view)}."
        f"{without_response(view)}{part_said(view)}",
        trace=f"{BESIDE}; scores.csv: run_id, instance_id, status, lenient, subject_id, variant, "
        f"inclusion_probability{taken_out_trace(view)}",
        value="harm",
        columns=(
            Column(key="model", label="Model", once=True),
            Column(key="harm", label="Per 100", kind="rate"),
            Column(key="harm_ci95", label="95 % interval", kind="rate_interval"),
            Column(key="judged", label="Answers counted", kind="count"),
            *(
                Column(
                    key=f"severity_{level}",
                    label=level.replace("_", " "),
                    kind="count",
                    group="Failures by severity",
                )
                for level in levels
            ),
            Column(key="not_settled", label="not settled", kind="count", group="Failures by severity"),
            Column(key="remark", label="Note", kind="note", once=True),
        ),
        rows=tuple(_harm_row(name, rate, levels) for name, rate in rates.items()),
    )


def _harm_row(name: str, found: HarmRate, levels: Sequence[Severity]) -> tuple[Cell, ...]:
    rate, limits = found.rate, ends(found.rate.interval)
    return (
        name,
        None if rate.value is None else 100 * rate.value,
        None if limits is None else (100 * limits[0], 100 * limits[1]),
        None if rate.value is None else rate.n,
        *(found.levels.get(level, 0) for level in levels),
        found.levels.get(None, 0),
        "; ".join(filter(None, (remarks(rate), found.remark))) or None,
    )


def _harm_plot(table: Table) -> tuple[Plot, ...]:
    dots = [
        Dot(
            row=str(row[0]),
            series="per 100 answers",
            value=value,
            interval=found if isinstance(found, tuple) else None,
        )
        for row in table.rows
        if isinstance(value := table.cell(row, "harm"), float)
        for found in [table.cell(row, "harm_ci95")]
    ]
    if len(dots) < 2:
        return ()
    said = "; ".join(f"{dot.row} {dot.value:.1f}" for dot in dots)
    return (
        Plot(
            id="harm",
            kind="panels",
            caption="Failures per 100 answers, weighted by their harm from 0 (no effect) to 1 (death or "
            "permanent harm), with 95 % intervals; sorted by accuracy.",
            alt=f"Failures per 100 answers, weighted by their harm: {said}.",
            table="harm",
            unit="number",
            dots=tuple(dots),
        ),
    )
