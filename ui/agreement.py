"""The agreement page: the very figures that `clinicnum agreement --study` prints, on this minute's labels."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gradio as gr
from markupsafe import Markup

from annotations.agreement.display import (
    beside_table,
    interval_text,
    pair_table,
    strength_table,
    value_text,
)
from annotations.agreement.layers import Layer, StudyAgreement
from annotations.agreement.types import AgreementResult, CoefficientValue, Population
from clinicnum.errors import ClinicnumError
from db.store import Store
from db.work.reporting import load_study_agreement
from db.work.study import list_studies
from ui.shell import Shell
from ui.views import MISSING, fold, framed, note, table

STATIC = Path(__file__).parent / "static"
Choice = dict[str, Any]


def population_line(population: Population) -> str:
    """Whose labels the figures are about, in one sentence."""
    parts = [
        f"{population.items} items",
        f"{population.annotators} annotators",
        f"{population.labels} labels",
        f"{population.pairs} pairs",
    ]
    if population.clusters is not None:
        parts.append(f"{population.clusters} subjects")
    left_out = "; ".join(f"{one.n} {one.what}: {one.why}" for one in population.left_out) or "nothing"
    return f"{', '.join(parts)}. Rule: {population.rule}. Left out: {left_out}."


def _row(one: CoefficientValue) -> tuple[str, str, str, int, str]:
    reason = one.undefined or one.ci_method or ""
    return (one.name, value_text(one), interval_text(one) or MISSING, one.n_items, reason)


def layer_view(layer: Layer) -> Markup:
    """One layer as a heading, its population, and its coefficients; per category below a fold."""
    heading = Markup('<section data-layer="{}"><h2>{}{}</h2>').format(
        layer.name, layer.title, " (conditional)" if layer.conditional else ""
    )
    if layer.result is None:
        return heading + note(f"Undefined: {layer.undefined}.") + Markup("</section>")
    overall = [one for one in layer.result.coefficients if "[" not in one.name]
    by_category = [one for one in layer.result.coefficients if "[" in one.name]
    undefined = [one for one in overall if one.value is None]
    return (
        heading
        + Markup('<p class="cn-muted">{}</p>').format(population_line(layer.result.population))
        + _table(f"{layer.title}: coefficients", [one for one in overall if one.value is not None])
        + fold(f"Undefined here, with the reason ({len(undefined)})", _table(layer.title, undefined))
        + fold("By category, one against the rest", _table(f"{layer.title}: by category", by_category))
        + Markup("</section>")
        + _beside(layer.title, layer.result)
    )


def _beside(title: str, result: AgreementResult) -> Markup:
    """What stands beside the coefficients, below folds; nothing for what there is none of."""
    without: list[str] = []
    folds = (
        ("Pairs of annotators, on the items that both labelled", (*pair_table(result), without)),
        ("Strength, by two conventions", (*strength_table(result), without)),
        ("Other intervals for the same values, as a sensitivity", beside_table(result)),
    )
    return Markup("").join(
        fold(summary, _plain(f"{title}: {summary.lower()}", columns, rows, notes))
        for summary, (columns, rows, notes) in folds
        if rows
    )


def _plain(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]], notes: list[str]) -> Markup:
    heads = [name[:1].upper() + name[1:] for name in columns]
    lines = Markup("").join(Markup('<p class="cn-muted">{}</p>').format(line) for line in notes)
    return table(caption, heads, rows) + lines


def _table(caption: str, coefficients: list[CoefficientValue]) -> Markup:
    columns = ("Coefficient", "Value", "95 % interval", "Items", "Method, or why undefined")
    if not coefficients:
        return note("No coefficient is defined on these labels yet.")
    return table(caption, columns, [_row(one) for one in coefficients], prose=(4,))


def agreement_view(study: str, simulated: bool, result: StudyAgreement) -> str:
    """The whole page of a study."""
    warning = note("simulated: these labels were made by scripted stand-ins, not by people", "warn")
    return framed(
        (warning if simulated else Markup(""))
        + Markup("<h1>Agreement in {}</h1>").format(study)
        + Markup("").join(layer_view(layer) for layer in result.layers)
    )


class AgreementHandlers:
    """The page's events. Not async: the figures of a large study belong in a thread."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self) -> tuple[Choice, str]:
        """The studies to choose from, and the figures of the last by name."""
        with self.store.reading() as session:
            names = [study.name for study in list_studies(session)]
        if not names:
            return {"names": [], "chosen": None}, framed(
                note("No study yet: `clinicnum study create` makes one.")
            )
        choice = {"names": names, "chosen": names[-1]}
        return choice, self.show(choice)

    def show(self, choice: Choice | None) -> str:
        """The figures of the chosen study."""
        study = str((choice or {}).get("chosen") or "")
        try:
            with self.store.reading() as session:
                found = load_study_agreement(session, study, details=True)
            return agreement_view(study, found.simulated, found.agreement)
        except ClinicnumError as error:
            return framed(note(str(error), "bad"))


def build_agreement(*, store: Store, shell: Shell) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `see_agreement`."""
    handlers = AgreementHandlers(store)
    quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    with gr.Blocks(title="Agreement · clinicnum", analytics_enabled=False, fill_width=True) as page:
        shell.navigation(page, "/agreement")
        studies = gr.HTML(
            value={},
            html_template='<div class="cn-page">'
            '<div class="cn-choose" role="group" aria-label="Study"></div></div>',
            js_on_load=(STATIC / "choose.js").read_text(encoding="utf-8"),
            apply_default_css=False,
        )
        figures = gr.HTML("", apply_default_css=False, elem_id="figures")
        page.load(handlers.load, None, [studies, figures], **quiet)
        studies.select(handlers.show, studies, figures, **quiet)
    return page
