"""Word-by-word difference of two texts."""

import re
from difflib import SequenceMatcher
from itertools import takewhile

MOST_WORDS = 1_500
"""Words of each text, after the common beginning, that are compared one by one; the rest counts as different.
"""
Part = tuple[str, bool]
"""A piece of a text, and whether it differs from the other text."""


def parted(text: str, other: str) -> tuple[Part, ...]:
    """`text` in pieces, each marked whether it differs from `other`; joined, they are `text`."""
    own, against = (re.findall(r"\s+|\S+\s*", one) for one in (text, other))
    pairs = zip(own, against, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0].strip() == pair[1].strip(), pairs))
    pieces = [(word, False) for word in own[:same]]
    rest, others = own[same : same + MOST_WORDS], [one.strip() for one in against[same : same + MOST_WORDS]]
    matcher = SequenceMatcher(None, [one.strip() for one in rest], others, autojunk=False)
    alike = {at for block in matcher.get_matching_blocks() for at in range(block.a, block.a + block.size)}
    pieces += [(word, at not in alike) for at, word in enumerate(rest)]
    pieces += [(word, True) for word in own[same + MOST_WORDS :]]
    return _joined(pieces)


def _joined(pieces: list[Part]) -> tuple[Part, ...]:
    found: list[Part] = []
    for word, differs in pieces:
        if found and found[-1][1] == differs:
            found[-1] = (found[-1][0] + word, differs)
        else:
            found.append((word, differs))
    return tuple(found)
