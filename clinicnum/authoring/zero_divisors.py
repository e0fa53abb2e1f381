"""Find divisors that are 0 for some possible value of a vital sign or given, even if no sample patient has
it.

On a few sample fillings each value that the tree may read is replaced in turn by every plausible one (V6), at
the resolution at which it is recorded. A value that makes a divisor 0 while the template's conditions hold is
reported. Zeros that need two values to change are left to the sample.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import islice

from clinicnum.authoring.sample_golds import SampleFilling, case_of, sample_fillings
from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.evaluate_tree import answer_text, holds
from clinicnum.templates.evaluation_input import Case, Table, UndefinedError
from clinicnum.templates.slots_and_givens import NumberGiven
from clinicnum.templates.template import Template
from clinicnum.templates.tree import (
    EACH,
    EARLIEST,
    LATEST,
    NEXT,
    ArithmeticNode,
    AtNode,
    ConstantNode,
    GivenNode,
    MinutesNode,
    Node,
    OverNode,
    OverPairsNode,
    SumNode,
    VitalNode,
)
from clinicnum.templates.tree_walk import children, nodes
from clinicnum.types import Vital

ZERO = "V3.division_by_zero"
TRIED = 2
"""Fillings to try; values are replaced in the first two records, the last, and those of the slots."""
GIVEN_VALUES = 400
"""Most values of a given to try, lowest first, besides 0."""


PASSING = tuple(
    (AtNode(op="at", at=start), AtNode(op="at", at=end)) for start, end in ((EACH, NEXT), (EARLIEST, LATEST))
)
"""Starts and ends that always differ: times are unique."""


def zero_value(template: Template, seed: int) -> str | None:
    """A value of a vital sign or given, in words, for which a divisor of the template is 0.

    None if none is found on sample patients drawn by `seed`.
    """
    divisors = [
        node.right
        for node in nodes(template.tree)
        if isinstance(node, ArithmeticNode) and node.op == "divide" and not _is_positive(node.right, template)
    ]
    if not divisors:
        return None
    for on in islice(sample_fillings(template, template.vitals, seed), TRIED):
        for case, said in _changed(template, divisors, on):
            if _divides_by_zero(template, case):
                return said
    return None


def _is_positive(node: Node, template: Template) -> bool:
    """Whether an expression is always above 0: vital signs are, and so are elapsed times."""
    if isinstance(node, VitalNode):
        return VITAL_SIGNS[node.vital].low > 0
    if isinstance(node, GivenNode):
        given = template.givens[node.name]
        return isinstance(given, NumberGiven) and given.low > 0
    if isinstance(node, ConstantNode):
        return node.value > 0
    if isinstance(node, MinutesNode):
        return (node.start, node.end) in PASSING
    kept = isinstance(node, SumNode | OverPairsNode) or (
        (isinstance(node, ArithmeticNode) and node.op != "subtract")
        or (isinstance(node, OverNode) and node.how != "range")
    )
    return kept and all(_is_positive(child, template) for _, child in children(node))


def _divides_by_zero(template: Template, case: Case) -> bool:
    try:
        if all(holds(condition, case, None) for condition in template.requires):
            answer_text(template.tree, case)
    except UndefinedError as error:
        return str(error) == ZERO
    return False


def _changed(template: Template, divisors: Sequence[Node], on: SampleFilling) -> Iterator[tuple[Case, str]]:
    """Yield the filling `on` as a case with one value replaced, and which value that is, in words."""
    read = [node for divisor in divisors for node in nodes(divisor)]
    case = case_of(template, on)
    for name in sorted({node.name for node in read if isinstance(node, GivenNode)}):
        given = template.givens[name]
        for text in _given_values(given) if isinstance(given, NumberGiven) else ():
            other = on._replace(givens={**on.givens, name: text})
            yield case_of(template, other), f"{given.label} is {text}"
    places = sorted({0, 1, *case.at.values(), len(on.records) - 1})
    for vital in sorted({node.vital for node in read if isinstance(node, VitalNode)}):
        for index in places:
            for value in _values(vital):
                table = _replaced(on.table, index, vital, value)
                if table is not None:
                    sign = VITAL_SIGNS[vital]
                    yield case.with_table(table), f"the {sign.label} is {value} {sign.unit}"


def _replaced(table: Table, index: int, vital: Vital, value: Decimal) -> Table | None:
    """The table with one value replaced; None if the diastolic pressure would not be below the systolic."""
    row = {**table.values[index], vital: value.as_integer_ratio()}
    sbp, dbp = row.get("sbp_mmhg"), row.get("dbp_mmhg")
    if sbp is not None and dbp is not None and dbp[0] * sbp[1] >= sbp[0] * dbp[1]:
        return None
    return Table(table.times, (*table.values[:index], row, *table.values[index + 1 :]), table.seconds)


def _values(vital: Vital) -> Iterator[Decimal]:
    """Yield every plausible value at its recorded resolution."""
    sign = VITAL_SIGNS[vital]
    step = Decimal("0.1") if vital == "temperature_c" else Decimal(1)
    return (sign.low + step * i for i in range(int((sign.high - sign.low) / step) + 1))


def _given_values(given: NumberGiven) -> Iterator[str]:
    if given.values:
        return (f"{value:.{given.decimals}f}" for value in given.values[:GIVEN_VALUES])
    step = Decimal(1).scaleb(-given.decimals)
    count = min(GIVEN_VALUES, int((given.high - given.low) / step) + 1)
    values = [given.low + step * i for i in range(count)]
    if given.low <= 0 <= given.high:
        values.append(Decimal(0))
    return (f"{value:.{given.decimals}f}" for value in values)
