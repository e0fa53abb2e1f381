"""The meaning of a rule in the grammar's terms, derived from the template's plain content."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from clinicnum.templates.proof.grammar import Meaning

Content = Mapping[str, Any]
Labels = Mapping[str, str]
"""A given's name -> its label in lower case."""

_SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}


def rule_meaning(content: Content) -> Meaning:
    """What a template's tree computes: nested tuples of an operator and its parts, as a grammar makes them of
    words.

    The outermost rounding is left out unless it says how many decimals to keep.
    """
    return _meaning(content["tree"], labels_of(content))


def required_meanings(content: Content) -> list[Meaning]:
    """The meanings of the conditions under which the question is asked."""
    return [_meaning(one, labels_of(content)) for one in content.get("requires", ())]


def labels_of(content: Content) -> dict[str, str]:
    """Name -> lower-case label of each of a template's givens."""
    return {name: str(given["label"]).lower() for name, given in content.get("givens", {}).items()}


def _meaning(node: Content, labels: Labels) -> Meaning:
    def of(part: Content) -> Meaning:
        return _meaning(part, labels)

    op = node.get("op")
    if op is None:
        return _condition(node, of)
    if op in _SIGNS:
        return (_SIGNS[op], of(node["left"]), of(node["right"]))
    if op == "round":
        # The outermost rounding only sets the digits of the answer.
        return of(node["of"]) if node.get("decimals") is None else ("round", of(node["of"]), node["decimals"])
    return _KINDS[op](node, of, labels)


def _condition(node: Content, of: Callable[[Content], Meaning]) -> Meaning:
    for word in ("all", "any"):
        if word in node:
            return (word, *map(of, node[word]))
    if "not" in node:
        return ("not", of(node["not"]))
    return (node["comparator"], of(node["left"]), of(node["right"]))


def _bands(node: Content, of: Callable[[Content], Meaning], labels: Labels) -> Meaning:
    rows = [(_limit(band.get("at_most")), band["points"]) for band in node["bands"]]
    return ("bands", of(node["of"]), tuple(rows))


def _limit(value: Any) -> Fraction | None:
    return None if value is None else Fraction(str(value))


def _over(node: Content, of: Callable[[Content], Meaning], labels: Labels) -> Meaning:
    return ("over", node["how"], of(node["of"]), node["take"], node.get("n"))


_KINDS: dict[str, Callable[[Content, Callable[[Content], Meaning], Labels], Meaning]] = {
    "vital": lambda node, of, labels: ("vital", node["vital"], node.get("at", "each")),
    "given": lambda node, of, labels: ("given", labels[node["name"]]),
    "given_points": lambda node, of, labels: (
        "option_points",
        labels[node["name"]],
        tuple(sorted(node["points"].items())),
    ),
    "constant": lambda node, of, labels: Fraction(str(node["value"])),
    "sum": lambda node, of, labels: ("+", *map(of, node["of"])),
    "absolute": lambda node, of, labels: ("absolute", of(node["of"])),
    "points": _bands,
    "one_if": lambda node, of, labels: ("if", of(node["where"])),
    "over": _over,
    "over_pairs": lambda node, of, labels: ("pairs", node["how"], of(node["of"])),
    "slope": lambda node, of, labels: ("slope", of(node["of"]), node["take"], node.get("n")),
    "minutes": lambda node, of, labels: ("minutes", of(node["start"]), of(node["end"])),
    "at": lambda node, of, labels: ("time", node["at"]),
    "count": lambda node, of, labels: ("count", of(node["where"])),
    "time_of": lambda node, of, labels: ("time_of", node["which"], of(node["where"])),
    "time_of_extreme": lambda node, of, labels: ("time_of_extreme", node["which"], of(node["of"])),
}
