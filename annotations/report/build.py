"""From a study's tables to a report: pure, the same tables give the same report."""

from collections.abc import Callable

from annotations.report.model import KeyFigure, Report, Section
from annotations.report.sections.accuracy import accuracy_key_figures, accuracy_section
from annotations.report.sections.agreement_layers import agreement_section
from annotations.report.sections.annotators import annotators_section
from annotations.report.sections.consensus import consensus_section
from annotations.report.sections.examples import examples_section
from annotations.report.sections.methods import methods_section
from annotations.report.sections.planner import planner_section
from annotations.report.sections.provenance import provenance_section
from annotations.report.sections.settlement import settlement_section
from annotations.report.sections.suggestion_effect import suggestion_effect_section
from annotations.report.sections.taxonomy_counts import taxonomy_section
from annotations.report.tables import StudyTables
from annotations.report.view import StudyView

SECTIONS: tuple[Callable[[StudyView], Section], ...] = (
    accuracy_section,
    taxonomy_section,
    agreement_section,
    settlement_section,
    consensus_section,
    annotators_section,
    suggestion_effect_section,
    planner_section,
    examples_section,
    methods_section,
    provenance_section,
)
"""The sections in order; a new one is one file and one line here."""


def build_report(tables: StudyTables, *, generated_by: str) -> Report:
    """The report of a study. `generated_by` names the program and version that made it.

    Raises InputError where the tables do not fit together: an id without its row, a foreign code.
    """
    view = StudyView(tables)
    return Report(
        title=f"Clinical numeracy: {tables.study_name}",
        study=tables.study_name,
        annotator_kind=view.annotator_kind,
        warnings=_warnings(view),
        key_figures=_key_figures(view),
        sections=tuple(section(view) for section in SECTIONS),
        generated_by=generated_by,
    )


def _warnings(view: StudyView) -> tuple[str, ...]:
    warnings = []
    if "simulated" in view.annotator_kind:
        people = {(one.annotator_id, one.annotator_kind) for one in view.tables.annotations}
        scripted = sum(kind == "simulated" for _, kind in people)
        warnings.append(
            f"simulated: {scripted} of {len(people)} annotators are scripted stand-ins. Every label, "
            "agreement and consensus here tests the software; none is evidence about a model."
        )
    if view.credentialed:
        warnings.append(
            "credentialed data: this file quotes records that may be shared only with people who hold the "
            "data use agreement. Do not publish it or send it to a service."
        )
    return tuple(warnings)


def _key_figures(view: StudyView) -> tuple[KeyFigure, ...]:
    layer = view.agreement.layer("primary").result
    alpha = layer.coefficient("krippendorff_alpha_nominal") if layer is not None else None
    failures = sum(one.response.label == "failure" for one in view.settlements)
    mark = "simulated: " if "simulated" in view.annotator_kind else ""
    value, note = "–", "no judgement yet"
    if alpha is not None:
        value = "undefined" if alpha.value is None else f"{alpha.value:.2f}"
        note = alpha.undefined or f"alpha, primary class, {alpha.n_items} items"
        if alpha.ci95 is not None:
            note += f", 95 % {alpha.ci95[0]:.2f} to {alpha.ci95[1]:.2f}"
    return (
        *accuracy_key_figures(view),
        KeyFigure(
            label=f"{mark}Failures",
            value=str(failures),
            note=f"by majority, of {len(view.settlements)} generations judged",
        ),
        KeyFigure(label=f"{mark}Agreement", value=value, note=note),
    )
