"""The compiled tree against a plain interpreter of the same YAML: fractions, recursion, no shared code.

Random trees of every node on random tables with gaps. Evidence is tested by what it means: without one of its
cells there is no answer, and no other cell matters.
"""

import random
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from pydantic import TypeAdapter

from clinicnum.templates import memoize
from clinicnum.templates.evaluate_tree import Answer, Case, UndefinedError, answer, evidence, table_of
from clinicnum.templates.memoize import Memoized
from clinicnum.templates.tree import ConstantNode, RootNode
from clinicnum.templates.worked_solution import worked_solution
from clinicnum.types import Record, Vital

VITALS: tuple[Vital, ...] = ("temperature_c", "heart_rate_bpm", "sbp_mmhg")
START = datetime(2150, 3, 1, 22, 10)
GIVENS = {"weight": "72.5", "oxygen": "yes"}
ROOT: TypeAdapter[RootNode] = TypeAdapter(RootNode)


class NoAnswerError(Exception):
    """The interpreter finds none."""


class Trees:
    """Random trees as plain data; `depth` bounds them."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(str(seed))

    def root(self) -> dict[str, Any]:
        kind = self.rng.choice(["round", "round", "round", "count", "time_of", "time_of_extreme"])
        if kind == "round":
            return {"op": "round", "of": self.number(4, ())}
        return self.in_turn(kind, 3)

    def in_turn(self, kind: str, depth: int) -> dict[str, Any]:
        if kind == "time_of_extreme":
            which = self.rng.choice(["highest", "lowest"])
            return {"op": kind, "which": which, "of": self.number(depth, ("each",))}
        where = {"op": kind, "where": self.condition(depth, ("each",))}
        return where if kind == "count" else {**where, "which": self.rng.choice(["first", "last"])}

    def number(self, depth: int, scope: tuple[str, ...]) -> dict[str, Any]:  # noqa: C901  one branch a word
        rng, leaf = self.rng, ["vital", "vital", "vital", "constant", "given", "given_points"]
        inner = ["arithmetic", "sum", "absolute", "points", "one_if", "round", "over", "over_pairs"]
        op = rng.choice(leaf if depth == 0 else [*leaf, *inner, *inner, "slope", "minutes"])
        of = {"of": self.number(depth - 1, scope)} if op in ("absolute", "points", "round") else {}
        if op == "vital":
            at = rng.choice([*scope, *scope, "time", "earliest", "latest"])
            return {"op": op, "vital": rng.choice(VITALS), "at": at}
        if op == "constant":
            return {"op": op, "value": rng.choice(["-3", "0", "1.8", "37.2", "100", "120"])}
        if op == "given":
            return {"op": op, "name": "weight"}
        if op == "given_points":
            return {"op": op, "name": "oxygen", "points": {"yes": 2, "no": 0}}
        if op == "arithmetic":
            sides = {side: self.number(depth - 1, scope) for side in ("left", "right")}
            return {"op": rng.choice(["add", "subtract", "multiply", "divide"]), **sides}
        if op == "sum":
            return {"op": op, "of": [self.number(depth - 1, scope) for _ in range(rng.randrange(2, 4))]}
        if op == "points":
            limits = sorted(
                rng.sample(["-5", "36", "37.5", "80", "99.9", "118"], rng.randrange(1, 4)), key=float
            )
            bands = [{"at_most": limit, "points": rng.randrange(4)} for limit in limits]
            return {"op": op, **of, "bands": [*bands, {"points": rng.randrange(4)}]}
        if op == "round":
            return {"op": op, **of, "decimals": rng.randrange(3)}
        if op == "absolute":
            return {"op": op, **of}
        if op == "one_if":
            return {"op": op, "where": self.condition(depth - 1, scope)}
        return self.over(op, depth) if op != "minutes" else self.minutes(depth, scope)

    def over(self, op: str, depth: int) -> dict[str, Any]:
        take = {"take": self.rng.choice(["earliest", "latest", "which"]), "n": self.rng.randrange(2, 4)}
        taken = self.rng.choice([take, {"take": "all"}])
        each = {"of": self.number(depth - 1, ("each",))}
        if op == "slope":
            return {"op": op, **each, **taken}
        hows = ["mean", "sum", "highest", "lowest"]
        if op == "over":
            return {"op": op, "how": self.rng.choice([*hows, "range"]), **each, **taken}
        return {"op": op, "how": self.rng.choice(hows), "of": self.number(depth - 1, ("each", "next"))}

    def minutes(self, depth: int, scope: tuple[str, ...]) -> dict[str, Any]:
        return {"op": "minutes", **{side: self.moment(depth, scope) for side in ("start", "end")}}

    def moment(self, depth: int, scope: tuple[str, ...]) -> dict[str, Any]:
        if self.rng.random() < 0.6:
            return {"op": "at", "at": self.rng.choice([*scope, "time", "earliest", "latest"])}
        return self.in_turn(self.rng.choice(["time_of", "time_of_extreme"]), depth - 1)

    def condition(self, depth: int, scope: tuple[str, ...]) -> dict[str, Any]:
        kind = self.rng.choice(["compare"] * 3 + ["all", "any", "not"]) if depth > 1 else "compare"
        if kind == "not":
            return {"not": self.condition(depth - 1, scope)}
        if kind != "compare":
            return {kind: [self.condition(depth - 1, scope) for _ in range(2)]}
        comparator = self.rng.choice(["above", "below", "at_least", "at_most"])
        left, right = self.number(max(depth - 1, 0), scope), self.number(0, scope)
        return {"left": left, "comparator": comparator, "right": right}

    def records(self, *, gaps: bool) -> list[Record]:
        time, records = START, []
        for _ in range(self.rng.randrange(1, 6)):
            time += timedelta(seconds=self.rng.choice([60, 1800, 3600, 5400, 5445]))
            values = {
                "temperature_c": Decimal(self.rng.randrange(360, 390)) / 10,
                "heart_rate_bpm": Decimal(self.rng.randrange(78, 84)),
                "sbp_mmhg": Decimal(self.rng.randrange(116, 122)),
            }
            kept = {k: v for k, v in values.items() if not (gaps and self.rng.random() < 0.1)}
            records.append(Record(subject_id="a", stay_id="b", charttime=time, source="t", **kept))  # type: ignore[arg-type]
        return records


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


def given(seed: int, *, gaps: bool) -> tuple[dict[str, Any], RootNode, list[Record], int, str]:
    trees = Trees(seed)
    data, records = trees.root(), trees.records(gaps=gaps)
    return (
        data,
        ROOT.validate_python(data),
        records,
        trees.rng.randrange(len(records)),
        trees.rng.choice(["earliest", "latest"]),
    )


def case_of(records: list[Record], time: int, which: str) -> Case:
    return Case(table_of(records), 3, {"time": time}, {"which": which}, GIVENS)


def answered(root: RootNode, case: Case) -> Answer | None:
    try:
        return answer(root, case)
    except UndefinedError:
        return None


@pytest.mark.parametrize("block", range(10))
def test_compiled_trees_mean_what_the_plain_interpreter_says(block: int) -> None:
    defined = 0
    for seed in range(300 * block, 300 * (block + 1)):
        data, root, records, time, which = given(seed, gaps=True)
        found = answered(root, case_of(records, time, which))
        try:
            expected = Plain(records, time, which).root(data)
        except NoAnswerError:
            assert found is None, (seed, data)
            continue
        assert found is not None, (seed, data)
        assert (found.record if found.exact is None else found.exact) == expected, (seed, data)
        defined += 1
    assert defined > 150


@pytest.mark.parametrize("block", range(4))
def test_evidence_is_what_the_answer_cannot_do_without_and_nothing_else_matters(block: int) -> None:
    cells = {True: 0, False: 0}
    for seed in range(9000 + 200 * block, 9000 + 200 * (block + 1)):
        _, root, records, time, which = given(seed, gaps=False)
        case = case_of(records, time, which)
        gold = answered(root, case)
        if gold is None:
            continue
        rests_on = {(cell.record, cell.vital) for cell in evidence(root, case, gold)}
        for index, record in enumerate(records):
            for vital in VITALS:
                changed = [*records]
                changed[index] = record.model_copy(update={vital: None})
                needed = (index, vital) in rests_on
                assert answered(root, case_of(changed, time, which)) == (None if needed else gold), (
                    seed,
                    index,
                    vital,
                )
                cells[needed] += 1
    assert min(cells.values()) > 100


def test_what_is_made_of_a_node_is_made_once_and_memory_stays_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[int] = []
    monkeypatch.setattr(memoize, "LIMIT", 3)
    keep = Memoized(lambda node: made.append(id(node)))
    constants = [ConstantNode(op="constant", value=Decimal(1)) for _ in range(3)]
    for node in [*constants, *constants]:
        keep(node)
    assert made == [id(node) for node in constants]  # equal nodes are told apart
    keep(ConstantNode(op="constant", value=Decimal(2)))
    keep(constants[0])
    assert made[-1] == id(constants[0])  # forgotten at the limit, and made again


def test_every_random_tree_can_be_worked_out_in_words() -> None:
    for seed in range(20_000, 20_600):
        _, root, records, time, which = given(seed, gaps=True)
        case = case_of(records, time, which)
        gold = answered(root, case)
        if gold is not None:
            lines = worked_solution(root, case, gold)
            assert lines[-1].endswith(f"{gold.text}."), seed
            assert len(set(lines)) == len(lines)
