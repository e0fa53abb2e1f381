"""The effect of visible suggestions on labels, agreement and time, or why it is unknown."""

from math import exp

from clinicnum.annotations.reliability.clustered_estimates import Estimate
from clinicnum.annotations.reliability.suggestion_effect import (
    ArmDifference,
    SuggestionEffect,
    suggestion_effect,
)
from clinicnum.annotations.report.report_content import Cell, Column, Gap, Section, Table
from clinicnum.annotations.report.sections.annotator_table_helpers import cells, factors, spoken, why
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.jackknife import how_many


def suggestion_effect_section(view: StudyView) -> Section:
    """The effect as differences between the two arms."""
    classes = [one.code for one in view.tables.taxonomy_codes if "." not in one.code]
    found = suggestion_effect(*view.last_judgements, classes=classes, subjects=view.subjects)
    if found.undefined is not None:
        return Section(
            id="suggestions",
            title="What do suggestions do?",
            gaps=(Gap(what="The effect of suggestions on labels, agreement and time", why=found.undefined),),
        )
    return Section(
        id="suggestions",
        title="What do suggestions do?",
        paragraphs=(
            f"Suggestions were open to the annotator in {found.n_shown} judgements ({found.later} of these "
            f"begun without, as suggestions came in sight later{_to_show(view)}) and in "
            f"{found.n_hidden} not{_none_to_show(view)}. A difference (with minus without) is the "
            f"suggestions' effect only where chance decided on which items they were open.{_by_chance(view)}"
            f"{_scripted(view)}",
        ),
        tables=(_shares(view, found), _alpha(view, found), _time(view, found)),
    )


def _by_chance(view: StudyView) -> str:
    """A sentence that chance did not decide where suggestions were visible; empty if it did or may have."""
    design = view.tables.design
    if design is None or design.suggestions == "randomised":
        return ""
    return " Here it did not: differences may be those of the answers that have suggestions."


def _to_show(view: StudyView) -> str:
    """How many judgements in the arm with suggestions were on items that had none; empty without any."""
    having = {one.generation_id for one in view.tables.suggestions}
    without = {
        (one.generation_id, one.annotator_id)
        for one in view.tables.annotations
        if one.round == "main" and one.suggestion_shown and one.generation_id not in having
    }
    return f"; {len(without)} on items that had none to show" if without else ""


def _none_to_show(view: StudyView) -> str:
    """How many judgements in the arm without suggestions were on generations that have none; empty without
    any.
    """
    having = {one.generation_id for one in view.tables.suggestions}
    main = [one for one in view.tables.annotations if one.round == "main"]
    shown = {(one.generation_id, one.annotator_id) for one in main if one.suggestion_shown}
    without = {(one.generation_id, one.annotator_id) for one in main if one.missing() is None} - shown
    n = sum(key not in having for key, _ in without)
    return f" ({n} of these on generations that have none)" if n else ""


def _scripted(view: StudyView) -> str:
    if "simulated" not in view.annotator_kind:
        return ""
    return " Scripted annotators take no notice of a suggestion: their differences come from chance."


def _shares(view: StudyView, found: SuggestionEffect) -> Table:
    rows = [
        (_name(view, one.name), *_arms(one), *cells(one.difference), why(one.difference))
        for one in (*found.labels, *([found.agreement] if found.agreement else []))
    ]
    return Table(
        id="suggestions_shares",
        caption="Labels and agreement, with suggestions open and without",
        note="Unit: judgements, each annotator's last complete one; for agreement, pairs of annotators on a "
        "generation in the same arm who give the same primary class or none. Intervals of the difference: "
        "delete-one-subject jackknife, both arms of a subject out together; not corrected for their number.",
        trace="annotations.csv: suggestion_shown, response_judgement, primary, generation_id, annotator_id",
        columns=(
            Column(key="what", label="Share"),
            Column(key="n_with", label="n with", kind="count"),
            Column(key="with", label="With", kind="share"),
            Column(key="n_without", label="n without", kind="count"),
            Column(key="without", label="Without", kind="share"),
            Column(key="difference", label="Points", kind="points"),
            Column(key="ci95", label="95 % interval", kind="points_interval", under=True),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
    )


def _name(view: StudyView, name: str) -> str:
    special = {"failure": "called a failure", "agreement": "agreeing pairs"}
    return special.get(name) or f"primary: {view.names.get(name, spoken(name))}"


def _arms(effect: ArmDifference) -> tuple[Cell, ...]:
    return effect.shown.n, effect.shown.value, effect.hidden.n, effect.hidden.value


def _recorded(view: StudyView) -> str:
    """Which judgements agreement rests on: those with suggestions hidden, and others as first saved."""
    return "of the judgements that count" if view.chosen.locked else "of those without"


def _alpha(view: StudyView, found: SuggestionEffect) -> Table:
    one = found.alpha
    rows: list[tuple[Cell, ...]] = []
    if one is not None:
        remark = why(one.difference) or why(one.shown) or why(one.hidden)
        shown, hidden = cells(one.shown), cells(one.hidden)
        rows.append((one.shown.n, *shown, one.hidden.n, *hidden, *cells(one.difference), remark))
    return Table(
        id="suggestions_alpha",
        caption="Krippendorff's alpha, with suggestions open and without",
        note="Unit: generations that at least two annotators judged in the same arm, by primary class or "
        "none. Agreement beyond chance: a suggestion that all follow also changes what chance would give. "
        "Intervals: delete-one-subject jackknife, ends on the scale of alpha itself, as a difference takes; "
        f"the interval of record {_recorded(view)} is in the section on agreement.",
        trace="annotations.csv: suggestion_shown, primary, generation_id, annotator_id",
        columns=(
            Column(key="n_with", label="n with", kind="count"),
            Column(key="with", label="With", kind="number"),
            Column(key="with_ci95", label="95 % interval", kind="interval", under=True),
            Column(key="n_without", label="n without", kind="count"),
            Column(key="without", label="Without", kind="number"),
            Column(key="without_ci95", label="95 % interval", kind="interval", under=True),
            Column(key="difference", label="Difference", kind="number"),
            Column(key="ci95", label="95 % interval", kind="interval", under=True),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
    )


def _time(view: StudyView, found: SuggestionEffect) -> Table:
    rows: list[tuple[Cell, ...]] = []
    one = found.log_time
    if one is not None and view.overruns:
        why_not = (
            f"active time of {how_many(len(view.overruns), 'annotator')} is longer than that between saves"
        )
        rows.append((one.shown.n, None, one.hidden.n, None, None, None, why_not))
    elif one is not None:
        rows.append(
            (
                one.shown.n,
                _seconds(one.shown),
                one.hidden.n,
                _seconds(one.hidden),
                *factors(one.difference),
                why(one.difference),
            )
        )
    return Table(
        id="suggestions_time",
        caption="Time, with suggestions open and without",
        note="Unit: judgements with an active time; geometric means, and the factor between them (with over "
        "without; 1: no effect). Interval: delete-one-subject jackknife of the difference of logarithms.",
        trace="annotations.csv: suggestion_shown, active_ms, generation_id, annotator_id",
        columns=(
            Column(key="n_with", label="n with", kind="count"),
            Column(key="with_s", label="With, s", kind="number"),
            Column(key="n_without", label="n without", kind="count"),
            Column(key="without_s", label="Without, s", kind="number"),
            Column(key="factor", label="Factor", kind="number"),
            Column(key="ci95", label="95 % interval", kind="interval", under=True),
            Column(key="remark", label="Note", kind="note"),
        ),
        rows=tuple(rows),
    )


def _seconds(estimate: Estimate) -> float | None:
    return None if estimate.value is None else exp(estimate.value) / 1000
