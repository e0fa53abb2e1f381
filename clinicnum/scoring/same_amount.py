"""Whether two amounts are equal: compared at the digits of either, after converting units."""

from fractions import Fraction

from clinicnum.parsing.numbers import Amount
from clinicnum.parsing.units import compare_units, conversion, rounds_to


def same_amount(said: Amount, wanted: Amount) -> bool:
    """Whether an amount in a text equals the wanted one.

    It does if both are equal; if it has more digits and rounds to what is wanted; or if it has fewer digits,
    but at least one decimal place, and what is wanted rounds to it. A unit that is not named on either side
    is taken to be the same.
    """
    value = Fraction(said.value)
    if wanted.unit is not None and compare_units(wanted.unit, said.unit) == "other_scale":
        change = conversion(asked=wanted.unit, written=said.unit or "")
        if change is None:
            return False
        value = change.forward(value)
        return rounds_to(value, Fraction(wanted.value), wanted.digits)
    if value == Fraction(wanted.value):
        return True
    if said.digits > wanted.digits:
        return rounds_to(value, Fraction(wanted.value), wanted.digits)
    return said.digits > 0 and rounds_to(Fraction(wanted.value), value, said.digits)
