"""A labelled failure as shown to a curator, and the cause on which its judgements agree."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

Basis = Literal["adjudicated", "majority", "labels"]
BASES: dict[Basis, str] = {
    "adjudicated": Translatable("decided by an adjudicator"),
    "majority": Translatable("most annotators agree"),
    "labels": Translatable("the annotators differ: the code given most often"),
}
Vote = tuple[str, str | None]
"""(response judgement, primary code of a failure)."""


class Failure(Frozen):
    """A wrong answer in a closed study, with the cause that people agreed on."""

    study_id: str
    study: str
    """The name of the study."""
    generation: str
    """Row id of the generation."""
    item: str
    """Id of the generation on the pages of its study."""
    instance: str
    """Row id of the instance."""
    template_id: str
    version: int
    operation: str
    scoring: str = "numeric"
    """How its answer is judged."""
    code: str
    basis: Basis
    simulated: bool
    """Whether a scripted annotator is among those who judged the answer."""
    model: str
    question: str
    gold: str
    parsed: str
    """The answer parsed from the text; empty if there is none."""
    text: str

    @property
    def key(self) -> str:
        """Identifies the failure among those of all studies."""
        return f"{self.study_id}:{self.item}"


class UpheldContest(Frozen):
    """An upheld contest and the decision on it."""

    contest: str
    study_id: str
    study: str
    generation: str
    """Row id of the answer on which the contest was raised."""
    item: str
    """Id of that answer on the pages of its study."""
    template_id: str
    version: int
    operation: str
    scoring: str = "numeric"
    """How its answer is judged."""
    kind: str
    question: str
    gold: str
    proposed: str | None
    comment: str
    taken_out: int
    """Number of instances invalidated."""


class DraftLink(Frozen):
    """A draft that was made from a failure or contest."""

    draft_id: str
    template_id: str
    """The id in the draft, empty if it has none yet; of an item, its kind."""
    status: str
    kind: Literal["template", "item"] = "template"


def commonest_template(failures: Sequence[Failure]) -> tuple[str, int]:
    """The template of most of the failures (on ties that of the earliest), and the number of its failures."""
    return Counter(one.template_id for one in failures).most_common(1)[0]


def cause(votes: Sequence[Vote], decision: Vote | None = None) -> tuple[str, Basis] | None:
    """The primary code of a failure and its basis; None if it was not judged a failure.

    A valid decision by an adjudicator settles both. Otherwise the answer is a failure unless most annotators
    say that it is not. Its code is the one that more than half of all annotators gave, otherwise the class
    that more than half gave, otherwise the most frequent code (on ties the first by name).
    """
    if decision is not None:
        return (decision[1], "adjudicated") if decision[0] == "failure" and decision[1] else None
    codes = [code for response, code in votes if response == "failure" and code]
    if 2 * len(codes) < len(votes) or not codes:
        return None
    for level in (codes, [code.partition(".")[0] for code in codes]):
        code, n = min(Counter(level).items(), key=lambda one: (-one[1], one[0]))
        if 2 * n > len(votes):
            return code, "majority"
    return min(Counter(codes).items(), key=lambda one: (-one[1], one[0]))[0], "labels"
