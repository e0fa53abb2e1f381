"""Read the value of a marked answer, and a value that a text offers despite an abstention."""

import re

from clinicnum.parsing.answer_value_signs import names_alternatives, worked_out
from clinicnum.parsing.doubtful_values import UNSIGNED, UNWORKED, is_unsigned_fall, is_unworked
from clinicnum.parsing.flexible_answer import read_conclusion
from clinicnum.parsing.guess_despite_abstention import guess_in
from clinicnum.parsing.marked_answer import Place
from clinicnum.parsing.minus_signs import DASHES
from clinicnum.parsing.missing_value_remarks import before_remark
from clinicnum.parsing.parse_result import Found, Refused
from clinicnum.parsing.question_for_parser import Question

_APART = re.compile(rf"^[+{re.escape(DASHES)}][\s*_`$]{{1,4}}(?=[0-9.])")


def read_marked(place: Place, question: Question) -> Found | Refused | None:
    """Read the value of a marked answer; None if it abstains. A space may follow a minus sign."""
    if names_alternatives(place.raw):
        return Refused("several values of one thing")
    apart = _APART.match(place.raw) if place.binding or place.inline else None
    raw = ("+" if apart[0][0] == "+" else "-") + place.raw[apart.end() :] if apart else worked_out(place.raw)
    outcome = question.read(raw)
    if isinstance(outcome, Found) and outcome.plain and raw == place.raw:
        return outcome  # nothing but a value: no word that could decline
    numeric = question.kind in ("number", "count", "any")
    if numeric and isinstance(outcome, Found) and is_unworked(raw):
        return Refused(UNWORKED)
    if numeric and isinstance(outcome, Found) and is_unsigned_fall(raw, outcome, question.asked):
        return Refused(UNSIGNED)
    if question.declined_by(raw) and not (isinstance(outcome, Found) and question.value_first(raw)):
        guessed = guessed_value(raw, question)
        if guessed is not None:
            return guessed
        if question.kind == "any":
            return None
        early = question.read(before_remark(raw, asked=question.asked))
        return early._replace(plain=False, at_end=False) if isinstance(early, Found) else None
    if isinstance(outcome, Refused) and question.lacks_value(raw):
        return None
    return outcome._replace(plain=False) if raw != place.raw and isinstance(outcome, Found) else outcome


def guessed_value(text: str, question: Question) -> Found | Refused | None:
    """The value offered despite an abstention; Refused if it cannot be read, None if none is offered."""
    offer = guess_in(text) if question.kind in ("number", "count", "any") else None
    if offer is None:
        return None
    outcome = question.read(offer, anywhere=True)
    if isinstance(outcome, Refused):
        outcome = read_conclusion(offer, question)
    return outcome._replace(plain=False) if isinstance(outcome, Found) else outcome
