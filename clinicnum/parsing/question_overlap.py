"""Measure which words of its question a sentence repeats."""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from clinicnum.parsing import flexible_answer_patterns as patterns


@lru_cache(maxsize=1000)
def key_words(asked: str) -> frozenset[str]:
    """The content words of the question's last interrogative clause."""
    begins = [match.start() for match in patterns.ASKS.finditer(asked)]
    clause = re.split(r"[?？]", asked[begins[-1] :] if begins else asked)[0]
    return frozenset(word.rstrip("s") for word in _words(clause) if word not in patterns.COMMON)


def _words(text: str) -> list[str]:
    """The words of a text; in scripts without spaces, each pair of adjacent characters."""
    plain = unicodedata.normalize("NFKC", text).lower().replace("-", " ")
    runs = patterns.NO_BLANKS.findall(plain)
    if not runs:
        return patterns.WORD.findall(plain)
    pairs = [one + other for run in runs for one, other in pairwise(run)]
    return pairs + patterns.WORD.findall(patterns.NO_BLANKS.sub(" ", plain))


@lru_cache(maxsize=1000)
def _abbreviations(asked: str) -> dict[str, frozenset[str]]:
    """Initials of two to four successive words of the question ("map"), mapped to these words without a
    final "s"; words of `COMMON` are skipped.
    """
    order = [word for word in patterns.WORD.findall(asked.lower()) if word not in patterns.COMMON]
    runs = [order[begin : begin + n] for n in (2, 3, 4) for begin in range(len(order) - n + 1)]
    return {"".join(word[0] for word in run): frozenset(word.rstrip("s") for word in run) for run in runs}


def said_words(sentence: str, asked: str) -> frozenset[str]:
    """The words of a sentence; abbreviations of words of the question count as these words."""
    said, short = _words(sentence), _abbreviations(asked)
    meant = [short[word] for word in said if word in short]
    return frozenset(word.rstrip("s") for word in said).union(*meant)


def share_said(sentence: str, asked: str) -> float:
    """Share of the question's key words that a sentence contains, from 0 to 1."""
    wanted = key_words(asked)
    return len(wanted & said_words(sentence, asked)) / max(1, len(wanted))
