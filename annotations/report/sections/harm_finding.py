"""The sentence of page one on how harmful the failures are."""

from collections.abc import Iterator

from clinicnum.annotations.judgement import Severity
from clinicnum.annotations.report.harm_rate import RIGHT_UNJUDGED, WEIGHTS, HarmRate, run_harm
from clinicnum.annotations.report.model_run import in_a_sentence, run_or_model
from clinicnum.annotations.report.report_content import Finding
from clinicnum.annotations.report.sampled_population import part_said, with_variants
from clinicnum.annotations.report.sections.share_cells import ends
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.jackknife import how_many
from clinicnum.stats.rounded_figures import percent

GRAVE: tuple[Severity, ...] = ("3", "4")


def harm_finding(view: StudyView) -> Iterator[Finding]:
    """Range of the models' harm rates, weights, and severe failures; nothing without any severity."""
    known = sorted(
        ((name, rate) for name, rate in view.once(run_harm).items() if rate.rate.value is not None),
        key=lambda one: (one[1].rate.value or 0.0, one[0]),
    )
    other = sum(rate.levels.get("not_applicable", 0) for _, rate in known)
    given = sum(n for _, rate in known for level, n in rate.levels.items() if level is not None) - other
    if not known or not given + other:
        return
    grave = sum(rate.levels.get(level, 0) for _, rate in known for level in GRAVE)
    if len(known) == 1:
        (name, rate), *_ = known
        said = (
            f"{name}: {_per_hundred(rate)} failures per 100 answers{with_variants(view)}, weighted by their "
            "harm"
        )
    else:
        (least, low), *_, (most, high) = known
        what = run_or_model(view.runs)
        of_some = f" over the {len(known)} of {len(view.runs)} {what}s with such a rate" * (
            len(known) < len(view.runs)
        )
        said = (
            f"Failures per 100 answers{with_variants(view)}, weighted by their harm, range{of_some} from "
            f"{_per_hundred(low)} for {in_a_sentence(least)} to {_per_hundred(high)} for "
            f"{in_a_sentence(most)}; these intervals do not compare {what}s"
        )
    left_out = sum(rate.levels.get(None, 0) for rate in view.once(run_harm).values())
    failed = sum(run.failed for run in view.runs)
    partly = any((rate.rate.interval.warning or "").startswith(RIGHT_UNJUDGED) for _, rate in known)
    text = (
        f"{said}{f'; {RIGHT_UNJUDGED}' * partly}. {WEIGHTS} {grave} of {given} failures with a "
        f"settled severity {_are(grave)} of severity 3 or 4"
        f"{f'; of {other} more it is not applicable' * bool(other)}"
        f"{f'; {left_out} with none settled {_are(left_out)} in no rate' * bool(left_out)}"
        f"{_errors(failed, also=bool(left_out))}."
        f"{part_said(view)}"
    )
    more = ("score_statuses",) * bool(failed)
    yield Finding(topic="Severity", text=text, table="harm", more_tables=more, holds_labels=True)


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _errors(n: int, *, also: bool) -> str:
    """How many errors are in no rate, after a semicolon; empty without any."""
    of = how_many(n, "error")
    return f"; {of} in place of an answer {_are(n)} in {'none either' if also else 'no rate'}" * bool(n)


def _per_hundred(found: HarmRate) -> str:
    limits = ends(found.rate.interval)
    said = (
        f" (95 % interval {percent(limits[0])} to {percent(limits[1])}; n = {found.rate.n})"
        if limits
        else " (no interval)"
    )
    return f"{percent(found.rate.value or 0.0)}{said}"
