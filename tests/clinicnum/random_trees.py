"""Random trees of every node, as plain data, on random tables with gaps."""

import random
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from pydantic import TypeAdapter

from clinicnum.templates.tree import RootNode
from clinicnum.types import Record, Vital

VITALS: tuple[Vital, ...] = ("temperature_c", "heart_rate_bpm", "sbp_mmhg")
START = datetime(2150, 3, 1, 22, 10)
GIVENS = {"weight": "72.5", "oxygen": "yes"}
ROOT: TypeAdapter[RootNode] = TypeAdapter(RootNode)


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
