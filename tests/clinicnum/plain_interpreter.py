"""What a tree means on records, by fractions and recursion alone; no code of the compiled tree."""

from datetime import timedelta
from fractions import Fraction
from typing import Any

from clinicnum.types import Record
from tests.clinicnum.random_trees import GIVENS, START


class NoAnswerError(Exception):
    """The interpreter finds none."""


class Plain:
    """Says what a tree means on records, the slow way."""

    def __init__(self, records: list[Record], time: int, which: str) -> None:
        self.rows = records
        self.time = time
        self.which = which

    def root(self, tree: dict[str, Any]) -> Fraction | int:
        """A number, a count, or the index of a record."""
        if tree["op"] == "round":
            return self.number(tree["of"], -1)
        if tree["op"] == "count":
            return sum([self.holds(tree["where"], i) for i in range(len(self.rows))])
        return self.moment(tree, -1)

    def index(self, at: str, each: int) -> int:
        return {
            "each": each,
            "next": each + 1,
            "time": self.time,
            "earliest": 0,
            "latest": len(self.rows) - 1,
        }[at]

    def moment(self, tree: dict[str, Any], each: int) -> int:
        if tree["op"] == "at":
            return self.index(tree["at"], each)
        everywhere = list(range(len(self.rows)))
        if tree["op"] == "time_of":
            for i in everywhere if tree["which"] == "first" else everywhere[::-1]:
                if self.holds(tree["where"], i):
                    return i
            raise NoAnswerError
        values = [self.number(tree["of"], i) for i in everywhere]
        best = max(values) if tree["which"] == "highest" else min(values)
        if values.count(best) != 1:
            raise NoAnswerError
        return values.index(best)

    def holds(self, tree: dict[str, Any], each: int) -> bool:
        if "not" in tree:
            return not self.holds(tree["not"], each)
        if "all" in tree:
            return min([self.holds(part, each) for part in tree["all"]])
        if "any" in tree:
            return max([self.holds(part, each) for part in tree["any"]])
        off = self.number(tree["left"], each) - self.number(tree["right"], each)
        return {"above": off > 0, "below": off < 0, "at_least": off >= 0, "at_most": off <= 0}[
            tree["comparator"]
        ]

    def number(self, tree: dict[str, Any], each: int) -> Fraction:  # noqa: C901  one branch a word
        op = tree["op"]
        if op == "vital":
            value = getattr(self.rows[self.index(tree["at"], each)], tree["vital"])
            if value is None:
                raise NoAnswerError
            return Fraction(value)
        if op == "constant":
            return Fraction(tree["value"])
        if op == "given":
            return Fraction(GIVENS[tree["name"]])
        if op == "given_points":
            return Fraction(tree["points"][GIVENS[tree["name"]]])
        if op in ("add", "subtract", "multiply", "divide"):
            left, right = self.number(tree["left"], each), self.number(tree["right"], each)
            if op == "divide" and right == 0:
                raise NoAnswerError
            return {
                "add": left + right,
                "subtract": left - right,
                "multiply": left * right,
                "divide": left / (right or 1),
            }[op]
        if op == "sum":
            return sum([self.number(part, each) for part in tree["of"]], Fraction())
        if op == "absolute":
            return abs(self.number(tree["of"], each))
        if op == "points":
            value = self.number(tree["of"], each)
            fits = [
                b["points"] for b in tree["bands"] if "at_most" not in b or value <= Fraction(b["at_most"])
            ]
            return Fraction(fits[0])
        if op == "one_if":
            return Fraction(int(self.holds(tree["where"], each)))
        if op == "round":
            value = self.number(tree["of"], each) * 10 ** tree["decimals"]
            size = Fraction(int(abs(value) + Fraction(1, 2)), 10 ** tree["decimals"])
            return -size if value < 0 else size
        if op == "minutes":
            start, end = self.moment(tree["start"], each), self.moment(tree["end"], each)
            return Fraction(
                (self.rows[end].charttime - self.rows[start].charttime) // timedelta(seconds=1), 60
            )
        return self.several(tree)

    def several(self, tree: dict[str, Any]) -> Fraction:
        indices = list(range(len(self.rows)))
        if tree["op"] == "over_pairs":
            indices = indices[:-1]
        elif tree["take"] != "all":
            take = self.which if tree["take"] == "which" else tree["take"]
            if len(indices) < tree["n"]:
                raise NoAnswerError
            indices = indices[: tree["n"]] if take == "earliest" else indices[-tree["n"] :]
        if len(indices) < (2 if tree["op"] == "slope" else 1):
            raise NoAnswerError
        values = [self.number(tree["of"], i) for i in indices]
        mean = sum(values, Fraction()) / len(values)
        if tree["op"] == "slope":
            hours = [
                Fraction((self.rows[i].charttime - START) // timedelta(seconds=1), 3600) for i in indices
            ]
            middle = sum(hours, Fraction()) / len(hours)
            across = sum([(h - middle) * (v - mean) for h, v in zip(hours, values, strict=True)], Fraction())
            return across / sum([(h - middle) ** 2 for h in hours], Fraction())
        high, low = max(values), min(values)
        return {"mean": mean, "sum": mean * len(values), "highest": high, "lowest": low, "range": high - low}[
            tree["how"]
        ]
