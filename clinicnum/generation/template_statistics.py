"""Count a template's questions, those flagged by V7, and those that baselines answer right without reading.

The baselines are those of `clinicnum.stats.accuracy`, counted while questions are generated; like headline
figures, they leave out flagged questions.
"""

from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal

from clinicnum.questions.ask_question import Question


@dataclass
class BaselineCounts:
    """Counts of one template's questions."""

    questions: int = 0
    flagged: int = 0
    """Questions with a V7 flag."""
    first_record: int = 0
    """Questions that the first record (its time, or its value of the first evidence cell's vital) answers."""
    last_record: int = 0
    zero: int = 0
    golds: Counter[str] = field(default_factory=Counter)

    def add(self, question: Question) -> None:
        """Count one question."""
        gold, records = question.gold, question.shown.records
        self.questions += 1
        if question.flags:
            self.flagged += 1
            return
        self.golds[gold.text] += 1
        if gold.record is not None:
            self.first_record += gold.record == 0
            self.last_record += gold.record == len(records) - 1
            return
        number = Decimal(gold.text)
        self.zero += number == 0
        if question.cells:
            vital = question.cells[0].vital
            self.first_record += getattr(records[0], vital) == number
            self.last_record += getattr(records[-1], vital) == number

    def shares(self) -> dict[str, float | None]:
        """Share of the unflagged questions that each baseline gets right; None without such questions.

        `majority` always gives the commonest gold.
        """
        unflagged = self.questions - self.flagged
        majority = max(self.golds.values(), default=0)
        hits = {"first_record": self.first_record, "last_record": self.last_record, "zero": self.zero}
        hits["majority"] = majority
        return {name: count / unflagged if unflagged else None for name, count in hits.items()}
