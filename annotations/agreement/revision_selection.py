"""Select the revision of each judgement that is analysed: the last complete one without outside influence.

A revision saved after an adjudicator's answer was read, or with a suggestion visible, is not used. Where
suggestions appeared together with the gold, the judgement locked before that is used instead; only the item,
which cannot be judged without the gold, is taken from afterwards.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from clinicnum.annotations.types import Annotation

Key = tuple[str, str, str]
"""Generation, annotator and round."""
OPEN = "suggestions were open to the annotator: to be reported apart"
"""Reason for leaving out a judgement: a suggestion could be opened while it was made."""
ANSWERED = "an adjudicator's answer on the question was read before it was first submitted"
"""Reason for leaving out: all complete revisions follow an adjudicator's answer."""
INCOMPLETE = "incomplete: never submitted whole"


@dataclass(frozen=True)
class CountedRevisions:
    """Analysed revisions by (generation, annotator, round)."""

    last: Mapping[Key, Annotation]
    """The analysed revision; missing if none is."""
    first: Mapping[Key, Annotation]
    """The first revision, made with no suggestion visible and before an answer was read, of each judgement
    that was later submitted.
    """
    locked: frozenset[Key]
    """Keys whose `last` is the judgement locked before the reference, except for the item."""
    left_out: Mapping[Key, str]
    """Why a judgement has no `last`."""
    answered: frozenset[Key]
    """Keys with complete revisions left out: they follow an adjudicator's answer."""


def counted_revisions(annotations: Iterable[Annotation]) -> CountedRevisions:
    """Choose, for each judgement of a study, the revision to be analysed, if any."""
    last: dict[Key, Annotation] = {}
    swayed: dict[Key, Annotation] = {}
    first: dict[Key, Annotation] = {}
    reasons: dict[Key, str] = {}
    answered = set[Key]()
    for one in annotations:
        key = (one.generation_id, one.annotator_id, one.round)
        if one.revision == 1 and not one.suggestion_shown and not one.answer_read:
            first[key] = one
        if one.missing() is not None:
            reasons.setdefault(key, INCOMPLETE)
        elif one.answer_read:
            answered.add(key)
        elif one.suggestion_shown:
            reasons[key] = OPEN
            _keep_newest(swayed, key, one)
        else:
            _keep_newest(last, key, one)
    locked = _as_locked(
        first, {key: one for key, one in swayed.items() if last.get(key) in (None, first.get(key))}
    )
    counting = last | locked
    reasons |= dict.fromkeys(answered, ANSWERED)
    return CountedRevisions(
        last=counting,
        first={key: one for key, one in first.items() if key in last or key in swayed or key in answered},
        locked=frozenset(locked),
        left_out={key: reason for key, reason in reasons.items() if key not in counting},
        answered=frozenset(answered),
    )


def _keep_newest(found: dict[Key, Annotation], key: Key, one: Annotation) -> None:
    if one.revision >= found.setdefault(key, one).revision:
        found[key] = one


def _as_locked(first: Mapping[Key, Annotation], swayed: Mapping[Key, Annotation]) -> dict[Key, Annotation]:
    """The judgements of `swayed`, the newest revision made with a suggestion in sight, as they were locked in
    `first` before the reference was shown.

    What is judged after the lock comes from `swayed`: the item, the proposed gold, and the study's own fields
    that were not yet answered. Left out are judgements without a first revision, and those that are then
    incomplete, such as a failure locked without class or severity.
    """
    found: dict[Key, Annotation] = {}
    for key, one in swayed.items():
        if key in first:
            item = {
                "item_judgement": one.item_judgement,
                "proposed_gold": one.proposed_gold,
                "custom": {**one.custom, **first[key].custom},
            }
            whole = first[key].model_copy(update=item)
            if whole.missing() is None:
                found[key] = whole
    return found
