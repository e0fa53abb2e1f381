"""A comparison of two prompts as lines of text."""

from typing import TYPE_CHECKING

from clinicnum.scripts.commands.text.accuracy import aligned, percent

if TYPE_CHECKING:
    from clinicnum.robustness.prompt_comparison import OutcomeDifference, PromptComparison

HEAD = ("outcome", "first", "second", "points", "95 % interval", "p", "p, corrected")


def prompt_comparison_text(found: "PromptComparison", first: str, second: str, model: str) -> str:
    """The outcomes under both prompts, with their basis."""
    lines = [
        f"{model}; first prompt: {first}; second prompt: {second}",
        "",
        *aligned([(*HEAD, "first alone", "second alone"), *map(_row, found.outcomes)]),
        "",
        f"on the {found.n_common} questions that both runs answered, without variants and those that do not "
        f"discriminate (V7); {found.n_first_only} and {found.n_second_only} that one run alone answered are "
        "left out",
        "points: share of the first less that of the second; p by exact sign flips of subjects, corrected "
        "for the outcomes of which a difference could be found",
        "omission and hallucination are automatic suggestions of a cause, which people may find otherwise; "
        "form missed: the right value in another form than asked",
    ]
    if not found.form_judged:
        lines.append("form is not compared: a prompt asks for another form than answers are scored by")
    return "\n".join(lines)


def _row(one: "OutcomeDifference") -> tuple[str, ...]:
    compared = one.difference
    low, high = compared.interval.low, compared.interval.high
    return (
        one.outcome,
        percent(one.first),
        percent(one.second),
        "-" if compared.difference is None else _points(compared.difference),
        "-" if low is None or high is None else f"{_points(low)} to {_points(high)}",
        *("-" if p is None else f"{p:.3g}" for p in (compared.p, compared.p_corrected)),
        str(compared.only_first),
        str(compared.only_second),
    )


def _points(share: float) -> str:
    return f"{round(100 * share, 1) + 0.0:+.1f}"
