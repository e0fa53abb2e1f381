"""A brute-force solver of the recipe's questions, on the records it started from, not on the text.

Exact fractions, records in time order; it shares nothing with lint but the names of the rules.
"""

from fractions import Fraction

import pandas as pd

from tests.clinicnum.lint_recipe import BELOW, VITALS, Row

PLAUSIBLE = dict(zip(VITALS, ((30, 43), (20, 250), (4, 70), (50, 100), (40, 300), (15, 200)), strict=True))
"""V6, as the design states it."""


def in_order(of: list[pd.DataFrame]) -> list[list[dict]]:
    """Each patient's records in time order."""
    return [patient.sort_values("charttime").to_dict("records") for patient in of]


def expected(rows: list[Row], of: list[pd.DataFrame]) -> dict[int, set[str]]:
    """By row, the rules that it breaks, where it breaks any."""
    told = in_order(of)
    return {n: rules for n, row in enumerate(rows, 1) if (rules := brute_force(row, told[row.patient]))}


def brute_force(row: Row, records: list[dict]) -> set[str]:
    """The rules that a row breaks."""
    kind, *of = row.key
    needs, used = NEEDS.get(kind) or (of[0],), records
    if kind in ("value", "change") or kind in AT_TIME:
        times = of[1:] if kind == "value" else of
        used = [r for r in records if r["charttime"] in times]
    rules = {"implausible"} if any(not plausible(r, needs) for r in used) else set()
    if kind in ("highest", "lowest"):
        values = [r[of[0]] for r in records]
        best = max(values) if kind == "highest" else min(values)
        tied = values.count(best) > 1
        right = any(r["charttime"] == row.answer and r[of[0]] == best for r in records)
        return rules | ({"tie"} if tied else set()) | (set() if right else {"wrong_gold"})
    if kind in ("exceeded", "drop_below"):
        crossed = [
            r for r in records if (r[of[0]] < of[1] if of[1] == BELOW.get(of[0]) else r[of[0]] > of[1])
        ]
        return rules | (set() if crossed[0]["charttime"] == row.answer else {"wrong_gold"})
    if kind == "over_70" and used[0]["heartrate"] <= 70:
        rules.add("false_premise")
    value, decimals = solved(kind, of, used)
    if (
        decimals is not None
        and (value * 10**decimals * 2).denominator == 1
        and (value * 10**decimals * 2) % 2
    ):
        return rules | {"rounding_tie"}
    stated = Fraction(str(row.answer))
    off = abs(stated - value)
    right = off == 0 if decimals is None else off < Fraction(1, 2 * 10**decimals)
    return rules | (set() if right else {"wrong_gold"})


AT_TIME = {
    "bp_sum": ("sbp", "dbp"),
    "pulse_pressure": ("sbp", "dbp"),
    "x1_8": ("temperature",),
    "shock_index": ("heartrate", "sbp"),
    "third": ("sbp", "dbp"),
    "fahrenheit": ("temperature",),
    "over_70": ("heartrate",),
    "map": ("sbp", "dbp"),
}
NEEDS = AT_TIME | {
    "mean": ("resprate",),
    "change": ("heartrate",),
    "tachycardia": ("heartrate",),
    "map_above": ("sbp", "dbp"),
    "shock_above": ("heartrate", "sbp"),
}


def solved(kind: str, of: list, used: list[dict]) -> tuple[Fraction, int | None]:
    """The exact value, and the digits asked."""
    r = {vital: Fraction(str(used[0][vital])) for vital in VITALS}
    pressure = r["sbp"] - r["dbp"]
    at_time = {
        "bp_sum": (r["sbp"] + r["dbp"], None),
        "pulse_pressure": (pressure, None),
        "x1_8": (r["temperature"] * Fraction("1.8"), 1),
        "shock_index": (r["heartrate"] / r["sbp"], 1),
        "third": (pressure / 3, 1),
        "fahrenheit": (r["temperature"] * Fraction("1.8") + 32, 1),
        "over_70": ((r["heartrate"] - 70) / 70 * 100, 1),
        "map": (pressure / 3 + r["dbp"], 1),
    }
    if kind in at_time:
        return at_time[kind]
    if kind == "value":
        return r[of[0]], None
    if kind == "mean":
        two = used[:2] if of[0] == "first" else used[-2:]
        return Fraction(two[0]["resprate"] + two[1]["resprate"], 2), 1
    if kind == "change":
        one, other = (next(u["heartrate"] for u in used if u["charttime"] == time) for time in of)
        return Fraction(other - one, one) * 100, 2
    counted = {
        "tachycardia": lambda u: u["heartrate"] > 100,
        "map_above": lambda u: u["sbp"] - u["dbp"] > 3 * (100 - u["dbp"]),
        "shock_above": lambda u: 10 * u["heartrate"] > 7 * u["sbp"],
    }
    return Fraction(sum(map(counted[kind], used))), None


def plausible(record: dict, needs: tuple[str, ...]) -> bool:
    within = all(PLAUSIBLE[vital][0] <= record[vital] <= PLAUSIBLE[vital][1] for vital in needs)
    return within and not ("dbp" in needs and "sbp" in needs and record["dbp"] >= record["sbp"])
