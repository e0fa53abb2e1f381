"""Shared by the sections on annotators: the questions they answered, and estimates as table cells."""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp

from clinicnum.annotations.agreement.agreement_questions import item_judgement, response_judgement
from clinicnum.annotations.agreement.types import NONE
from clinicnum.annotations.consensus import level1_primary
from clinicnum.annotations.judgement import ITEM_JUDGEMENTS
from clinicnum.annotations.reliability.clustered_estimates import Estimate
from clinicnum.annotations.report.report_content import Cell
from clinicnum.annotations.report.sections.share_cells import ends
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_kind import KINDS
from clinicnum.annotations.types import Annotation


@dataclass(frozen=True)
class Asked:
    """One question put to annotators, with its possible answers."""

    name: str
    """Name of the question, as in `StudyView.ballots`."""
    title: str
    categories: tuple[str, ...]
    label: Callable[[Annotation], str]


def asked(view: StudyView) -> tuple[Asked, Asked, Asked]:
    """The three questions: item, response, and primary class (or none)."""
    responses = KINDS[view.chosen.kind].responses
    classes = tuple(one.code for one in view.tables.taxonomy_codes if "." not in one.code)
    return (
        Asked("item", "Item", ITEM_JUDGEMENTS, item_judgement),
        Asked("response", "Response", responses, response_judgement),
        Asked("primary", "Primary class", (*classes, NONE), level1_primary),
    )


def why(estimate: Estimate) -> str | None:
    """Why a figure or interval is missing, or a warning; None if neither applies."""
    return estimate.undefined or estimate.interval.undefined or estimate.interval.warning


def cells(estimate: Estimate) -> tuple[Cell, Cell]:
    """An estimate as two table cells: its value and the ends of its interval."""
    return estimate.value, ends(estimate.interval)


def factors(estimate: Estimate) -> tuple[Cell, Cell]:
    """The exponential of an estimated difference of logarithms, and its interval, as two table cells."""
    low_high = ends(estimate.interval)
    if estimate.value is None:
        return None, None
    return exp(estimate.value), None if low_high is None else (exp(low_high[0]), exp(low_high[1]))


def spoken(code: str) -> str:
    """A code with spaces for underscores."""
    return code.replace("_", " ")
