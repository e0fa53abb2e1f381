"""Generate a template's questions on sample patients, candidate by candidate, and count the outcomes.

The effort is limited by the number of candidates and the size of the tree, never by time: the same template
gives the same figures on every machine.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from clinicnum.authoring.sample_patients import BLOCKS, sample_patients
from clinicnum.generation.candidate_questions import BlockCandidates
from clinicnum.questions.ask_question import PreparedTemplate, Question, RejectedError
from clinicnum.records.loaded_records import Context, Scope
from clinicnum.records.synthetic import BLOCK
from clinicnum.templates.checks.size_limits import work_of

WORK = 4_000_000
"""Approximate limit on the operations of a trial."""
MOST, LEAST = 40_000, 400
"""Limits on the number of candidates: at most, and at least however large the tree."""
BARREN = 2
"""Number of blocks without a valid question after which the trial ends."""
MAX_RECORDS = 30
"""Contexts with more records are left out, as the number of slot fillings grows quickly."""


@dataclass
class Outcomes:
    """Counts, by outcome, of a template's candidate questions tried so far; `questions` tries more."""

    asked: PreparedTemplate
    seed: int
    stays: int = BLOCKS * BLOCK
    """Most sample stays to use."""
    limit: int = 0
    """Most candidates to try; 0 for a limit derived from the tree's size."""
    tried: int = 0
    not_asked: int = 0
    """Candidates that do not meet the template's conditions."""
    valid: int = 0
    flagged: int = 0
    """Valid questions with a V7 flag."""
    rejected: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Cap the number of candidates: a template that is costly to compute is tried on fewer."""
        template = self.asked.template
        work = sum(work_of(root) for root in (template.tree, *template.requires))
        self.limit = min(self.limit or MOST, max(LEAST, WORK // work))

    def questions(self) -> Iterator[Question]:
        """Yield valid questions: first on single stays, then on patients' pooled stays."""
        scopes: tuple[Scope, ...] = ("stay",) if self.asked.template.within_a_stay else ("stay", "subject")
        for scope in scopes:
            left, blocks = self.stays, -(-self.stays // BLOCK)
            for number, contexts in enumerate(sample_patients(self.seed).blocks(blocks, scope)):
                if self.tried >= self.limit:
                    return
                if number >= BARREN and not self.valid:
                    break  # Valid questions are too rare for a whole sample.
                yield from self._of(contexts[:left], number)
                left -= BLOCK

    def _of(self, contexts: Sequence[Context], number: int) -> Iterator[Question]:
        walk = BlockCandidates(contexts, self.seed, number, MAX_RECORDS, (), Counter())
        for outcome in walk.tried(self.asked):
            self.tried += 1
            if isinstance(outcome, Question):
                self.valid += 1
                self.flagged += not outcome.discriminates
                yield outcome
            elif isinstance(outcome, RejectedError):
                self.rejected[str(outcome)] += 1
            else:
                self.not_asked += 1
            if self.tried >= self.limit:
                return
