"""Count the judgements of a planned study that cannot be blind, as the annotator has seen the question's
gold.

Items of one group ask the same question of the same records and share a reference. Each annotator can judge
one item of a group before seeing it, and none if a training item has shown it. With J judgements to make on a
group and m annotators at least J - m are not blind; exactly as many if everyone judges everything, and hardly
more if the annotators work at about the same pace (`clinicnum.annotations.assignment`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from clinicnum.annotations.assignment import PlacedItem
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen


class FollowingJudgements(Frozen):
    """How many first judgements of main and control items follow the question's reference."""

    judgements: int
    """First judgements of main and control items in all."""
    following: int
    """Minimum number of them that are not blind."""
    exact: bool
    """Whether it is exact, as everyone judges everything."""
    annotators: int

    def in_words(self) -> Translatable | None:
        """How many judgements these are, in all and per annotator, as the beginning of a sentence; None if
        all can be blind.
        """
        if not self.following:
            return None
        values = {
            "n": self.following,
            "total": self.judgements,
            "each": self.following / self.annotators,
            "of": self.judgements / self.annotators,
        }
        if self.exact:
            return Translatable(
                "{n} of {total} judgements, about {each:.0f} of each annotator's {of:.0f}, will be "
                "made by somebody who has seen the gold answer of the same question with another item",
                **values,
            )
        return Translatable(
            "At least {n} of {total} judgements, about {each:.0f} of each annotator's {of:.0f}, will be "
            "made by somebody who has seen the gold answer of the same question with another item",
            **values,
        )


def following_judgements(
    placed: Iterable[PlacedItem], groups: Mapping[str, str], *, annotators: int
) -> FollowingJudgements:
    """Count the judgements that follow the question's reference.

    `groups` maps generation_id to group_id; `annotators` is their number.
    """
    items = tuple(placed)
    asked, shown = Counter[str](), set[str]()
    for one in items:
        if one.round == "training":
            shown.add(groups[one.generation_id])
        else:
            asked[groups[one.generation_id]] += one.places
    return FollowingJudgements(
        judgements=asked.total(),
        following=sum(max(0, n - (0 if group in shown else annotators)) for group, n in asked.items()),
        exact=all(one.places == annotators for one in items),
        annotators=annotators,
    )
