"""The tables of `clinicnum robustness` as text, from the same data as `--json`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clinicnum.stats.rounded_figures import rounded

Row = Mapping[str, Any]


def robustness_text(found: Mapping[str, Any]) -> str:
    """All tables that have rows, then the reasons why figures or intervals are missing."""
    parts: list[str] = [found["data_use"]] if found.get("data_use") else []
    for model in found["models"]:
        parts += _model(model)
    if found["comparisons"]:
        parts += ["", "Models against each other", *_comparisons(found["comparisons"])]
    if found["latent"]:
        parts += ["", "Latent flips", *_latent(found["latent"])]
    return "\n".join([*parts, "", *_reasons(found)]).strip()


def _model(model: Row) -> list[str]:
    again = f", re-run {model['rerun']}" if model["rerun"] else ", no identical re-run"
    lines = ["", f"{model['model']}: {model['n_answers']} answers, {model['n_pairs']} variants{again}"]
    lines += [f"left out: {count} {reason}" for reason, count in model["left_out"].items()]
    for title, key, figures in _TABLES:
        if model[key]:
            lines += ["", title, *_figures(model[key], figures)]
    for title, key in (
        ("Prompts against the default", "prompts"),
        ("Conditions against the clean context", "conditions"),
        ("Patients said to be of another sex or age", "patients"),
        ("Representations", "representations"),
    ):
        if model[key]:
            lines += ["", title, *_comparisons(model[key])]
    if model["calibration"]:
        lines += ["", "Calibration", *_calibration(model["calibration"])]
    return lines


_TABLES = (
    ("Flips", "flips", ("flip", "reverse", "rerun_flip", "rerun_reverse", "extra")),
    ("Five orders of the options", "options", ("consistency", "robust_accuracy", "rerun_consistency")),
    ("Following", "following", ("following", "kept", "rerun")),
    ("Abstention", "abstention", ("sensitivity", "false_abstention", "abstained_on_base")),
    ("Remarks", "chain", ("resistance", "adopted", "rerun")),
)
"""Title, table, and the figures printed; JSON has them all."""


def _figures(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    # Without a re-run these columns would be empty; the reason is listed with the others.
    figures = [name for name in names if any(row[name]["value"] is not None for row in rows)] or names[:1]
    head = ["kind", "representation"]
    for name in figures:
        head += [name.replace("_", " "), "95 % interval", "n"]
    lines: list[Sequence[str]] = [head]
    for row in rows:
        line = [str(row.get("kind", "missing")), str(row["representation"])]
        for name in figures:
            figure = row[name]
            line += [_percent(figure["value"]), _between(figure["interval"]), str(figure["n"])]
        lines.append(line)
    return _aligned(lines, words=2)


def _comparisons(rows: Sequence[Row]) -> list[str]:
    lines: list[Sequence[str]] = [
        ("first", "second", "on", "n", "difference", "95 % interval", "p", "p corrected", "test")
    ]
    for row in rows:
        p_values = [_p(row[name]) for name in ("p", "p_corrected")]
        shares = (_percent(row["difference"]), _between(row["interval"]))
        lines.append((row["first"], row["second"], row["on"], str(row["n"]), *shares, *p_values, row["test"]))
    return _aligned(lines, words=3)


def _calibration(rows: Sequence[Row]) -> list[str]:
    head = ("operation", "n", "without", "accuracy", "confidence", "Brier", "95 % interval", "slope")
    lines: list[Sequence[str]] = [(*head, "95 % interval", "intercept", "95 % interval", "ECE", "null", "p")]
    for row in rows:
        coefficients = []
        for name in ("slope", "intercept"):
            coefficients += [_number(row[name]["value"]), _between(row[name]["interval"], _number)]
        error = row["error"]
        ece = (_number(error["debiased"]), _number(error["debiased_null_high"]), _p(error["p"]))
        brier = (_number(row["brier"]["value"]), _between(row["brier"]["interval"], _number))
        means = (_percent(row["accuracy"]["value"]), _percent(row["mean_confidence"]["value"]))
        counts = (str(row["n"]), str(row["n_without"]))
        lines.append((row["operation"], *counts, *means, *brier, *coefficients, *ece))
    return _aligned(lines, words=1)


def _latent(rows: Sequence[Row]) -> list[str]:
    lines: list[Sequence[str]] = [("state", "kind", "flips", "95 % interval", "n", "neutral", "AUROC")]
    said = []
    for row in rows:
        neutral = _percent(row["neutral"]["value"])
        if row["withheld"]:
            said.append(f"{row['state']}: withheld, as {row['withheld']}")
        for kind in row["kinds"]:
            flips = kind["flips"]
            figures = (_percent(flips["value"]), _between(flips["interval"]), str(flips["n"]))
            lines.append((row["state"], kind["kind"], *figures, neutral, _number(row["auroc"])))
    return [*(_aligned(lines, words=2) if len(lines) > 1 else []), *said]


def _reasons(found: Any) -> list[str]:
    """Every reason for a missing figure or interval, without repetition."""
    reasons = sorted(set(_undefined(found)))
    return [f"undefined (-): {reason}" for reason in reasons]


def _undefined(found: Any) -> Iterable[str]:
    if isinstance(found, Mapping):
        if found.get("undefined"):
            yield str(found["undefined"])
        for name, value in found.items():
            if name != "bootstrap":
                yield from _undefined(value)
    elif isinstance(found, list | tuple):
        for value in found:
            yield from _undefined(value)


def _aligned(lines: Sequence[Sequence[str]], *, words: int) -> list[str]:
    """Lines of a table with text aligned left and figures right."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return [
        "  ".join(
            cell.ljust(width) if i < words else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{rounded(100 * value, 1)} %"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _p(value: float | None) -> str:
    if value is None:
        return "-"
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _between(interval: Row, written: Any = _percent) -> str:
    if interval["low"] is None:
        return "-"
    return f"{written(interval['low'])} to {written(interval['high'])}"
