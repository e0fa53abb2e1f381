"""Which revision of each judgement counts: the last complete one that no suggestion or answer could sway.

Where suggestions came into sight with the reference, the last revision was made with them in sight. What was
locked before then counts instead. Only the item, which cannot be judged without the reference, counts as it
was judged afterwards. What was saved after an adjudicator's answer on the question was read does not count.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from clinicnum.annotations.types import Annotation

Key = tuple[str, str, str]
"""Generation, annotator and round."""
OPEN = "suggestions were open to the annotator: to be reported apart"
"""Reason for leaving out a judgement: it was made with a suggestion that could be opened."""
ANSWERED = "an adjudicator's answer on the question was read before it was first submitted"
"""Reason for leaving out a judgement: all its complete revisions follow an answer."""
INCOMPLETE = "incomplete: never submitted whole"


@dataclass(frozen=True)
class CountedRevisions:
    """The revisions of a study by generation, annotator and round."""

    last: Mapping[Key, Annotation]
    """The revision that counts; missing if none does."""
    first: Mapping[Key, Annotation]
    """The first revision, made without a suggestion in sight and before an answer was read, of each judgement
    that was later submitted.
    """
    locked: frozenset[Key]
    """Where the revision in `last` is as locked before the reference, except for the item."""
    left_out: Mapping[Key, str]
    """Why none counts, where none does."""
    answered: frozenset[Key]
    """Where a complete revision does not count, as an answer had been read before it."""


def counted_revisions(annotations: Iterable[Annotation]) -> CountedRevisions:
    """Choose among all revisions of a study's annotations."""
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
    """Judgements as locked before the reference, with the item, and the study's own fields that were asked
    later, as judged after it.

    A judgement that was locked without class or severity cannot stand in for the last one.
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
