"""Four stages of remedies from the MedBench error analysis, and which stages each model passes.

The analysis (arXiv 2503.07306) proposes improvements in four levels: prompts, retrieved knowledge, hybrid
systems of rules and models, causal reasoning. Which failures speak for which level, and the denominators, are
ours; thresholds are those of the failure signatures, and some measures have none. A model's next stage is the
first with a measured threshold that is not clearly kept; a stage of which none could be measured is passed
over.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from clinicnum.annotations.report.failure_class_shares import run_failures
from clinicnum.annotations.report.report_content import Cell, Column, Table
from clinicnum.annotations.report.sections.consensus_wording import BESIDE, by
from clinicnum.annotations.report.sections.share_cells import figure_cells, figure_columns
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.taxonomy_codes import CAUSAL_REASONING, OUTPUT_ERROR

NO_THRESHOLD = "none known"
OF_FAILURES, OF_FIVE, OF_ASKED = "failures", "questions in five orders", "answers asked for a form"
ROBUST = "robust accuracy"


class Measure(NamedTuple):
    """One measure of a stage."""

    stage: str
    name: str
    """The signature's name, or what is counted."""
    of: str
    """The denominator."""
    threshold: float | None
    code: str | None = None
    """The class that is counted, if it is no signature."""


MEASURES = (
    Measure("1 prompts", "omissions", OF_FAILURES, 0.40),
    Measure("1 prompts", "format", OF_ASKED, 0.10),
    Measure("2 retrieved knowledge", "hallucinations", OF_FAILURES, 0.60),
    Measure("3 rules beside the model", ROBUST, OF_FIVE, 0.85),
    Measure("3 rules beside the model", "output errors", OF_FAILURES, None, OUTPUT_ERROR),
    Measure("4 causal reasoning", "causal reasoning", OF_FAILURES, None, CAUSAL_REASONING),
)
Signatures = Mapping[tuple[str, str], tuple[Cell, ...]]
"""Model and signature -> its row: model, name, share, interval, n, limit, ..., verdict, advice."""


def stages_table(view: StudyView, signatures: Signatures) -> Table:
    """The measures of the four stages of remedies, by model: share, threshold, percentage points by which it
    misses that, and whether the stage is passed. `signatures` are the rows of the table of failure
    signatures.
    """
    rows = tuple(row for run in view.runs for row in _rows(view, run.name, signatures))
    return Table(
        id="advice_stages",
        caption="Four stages of advice, and how far each model is",
        note="The stages are those of the MedBench analysis (arXiv 2503.07306); which measures speak for "
        "which, and the denominators (Of), are ours. Failures are those "
        f"{by(view.protocol)}, weighted as in the signatures; the answers asked for a form are "
        "without variants. To go: points by which the share is on the "
        "bad side of its threshold, 0 on the good side, whatever its interval; none where no threshold is "
        "known or the share could not be measured. Passed: every measure with a threshold that could be "
        "measured is quiet, its interval on the good side; to do: one fires; open: neither. No verdict: no "
        "measure with a threshold could be measured; no threshold: none is known of the stage's measures. "
        "The verdict is the stage's, also beside a measure that could not be measured. Next: the first stage "
        "that is to do or open.",
        trace=f"{BESIDE}; scores.csv: run_id, status, strict, lenient, subject_id, variant, flags, "
        "inclusion_probability",
        detail=True,
        columns=(
            Column(key="model", label="Model", once=True),
            Column(key="stage", label="Stage"),
            Column(key="measure", label="Measure"),
            Column(key="of", label="Of"),
            *figure_columns("share", "Share"),
            Column(key="threshold", label="Threshold"),
            Column(key="to_go", label="To go", kind="points"),
            Column(key="standing", label="Stage is"),
            Column(key="next", label="Next"),
        ),
        rows=rows,
    )


def _rows(view: StudyView, model: str, signatures: Signatures) -> Iterable[tuple[Cell, ...]]:
    stages = dict.fromkeys(one.stage for one in MEASURES)
    standing = {stage: _standing(stage, model, signatures) for stage in stages}
    ahead = next((stage for stage in stages if standing[stage] in ("to do", "open")), None)
    failures = view.once(run_failures)[model]
    for one in MEASURES:
        signature = signatures.get((model, one.name))
        if one.code is not None:
            share, limit, to_go = figure_cells(failures.share(one.code)), NO_THRESHOLD, None
        elif signature is not None:
            unmeasured = str(signature[-2]).startswith("not measured")
            share = (None,) * 3 if unmeasured else signature[2:5]
            limit, to_go = str(signature[5]), _to_go(one, share[0])
        else:
            continue  # robust accuracy of questions without options
        next_ = "next" if one.stage == ahead else None
        yield (model, one.stage, one.name, one.of, *share, limit, to_go, standing[one.stage], next_)


def _standing(stage: str, model: str, signatures: Signatures) -> str:
    """`passed`, `to do`, `open`, `no verdict` or `no threshold`, from the verdicts on the stage's
    thresholds.
    """
    rows = [signatures.get((model, one.name)) for one in MEASURES if one.stage == stage]
    verdicts = [str(row[-2]) for row in rows if row is not None]
    measured = [one for one in verdicts if not one.startswith("not measured")]
    if any(one == "fires" for one in measured):
        return "to do"
    if not measured:
        return "no verdict" if verdicts else "no threshold"
    return "passed" if set(measured) == {"quiet"} else "open"


def _to_go(one: Measure, share: Cell) -> float | None:
    if not isinstance(share, float) or one.threshold is None:
        return None
    beyond = one.threshold - share if one.of == OF_FIVE else share - one.threshold
    return max(beyond, 0.0)
