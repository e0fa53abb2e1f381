"""How many judgements of a planned study must follow the reference of the same question, thus not blind.

Items of one group ask the same question of the same records and share a reference. Each annotator can judge
one item of a group before they have seen it, and none if a training item has shown it. With J judgements to
make on a group and m annotators at least J - m of them follow; exactly as many if everyone judges everything,
and hardly more if the annotators work at about the same pace (`clinicnum.annotations.assignment`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from clinicnum.annotations.assignment import PlacedItem
from clinicnum.types import Frozen


class FollowingJudgements(Frozen):
    """First judgements of main and control items that follow the reference of the same question."""

    judgements: int
    """First judgements of main and control items in all."""
    following: int
    """How many of them, at least, follow a reference."""
    exact: bool
    """Whether it is just as many, as everyone judges everything."""
    annotators: int

    def in_words(self) -> str:
        """The number in all and for each annotator, as a clause; empty if none has to follow a reference."""
        if not self.following:
            return ""
        each, of = self.following / self.annotators, self.judgements / self.annotators
        return (
            f"{'' if self.exact else 'at least '}{self.following} of {self.judgements} judgements, about "
            f"{each:.0f} of each annotator's {of:.0f}, follow the reference of the same question, seen with "
            "another item"
        )


def following_judgements(
    placed: Iterable[PlacedItem], groups: Mapping[str, str], *, annotators: int
) -> FollowingJudgements:
    """Count them for the items of a study; `groups` maps generation_id to group_id."""
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
