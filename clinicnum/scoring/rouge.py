"""ROUGE-1 F of two sentences, as the evaluation of MEDIQA-CORR 2024 computes it.

Source: Lin 2004 (ROUGE) in the form of the package `rouge` 1.0 (github.com/pltrdy/rouge) that the task's
script calls: words are what blanks and full stops part, case counts, and each word counts once. Recall is the
share of the reference's words that the candidate has, precision the share of the candidate's that the
reference has, F their harmonic mean: from 0 (no word in common) to 1 (the same words). The 1e-8 that the
package adds to the denominator is left out.

Undefined (None) where either has no word.
"""

from typing import NamedTuple


class Rouge1(NamedTuple):
    """Overlap of distinct words: precision, recall and F, each from 0 to 1."""

    f: float
    precision: float
    recall: float


def rouge_1(candidate: str, reference: str) -> Rouge1 | None:
    """ROUGE-1 of a candidate against a reference; None if either has no words."""
    said, wanted = _words(candidate), _words(reference)
    if not said or not wanted:
        return None
    common = len(said & wanted)
    precision, recall = common / len(said), common / len(wanted)
    f = 2 * precision * recall / (precision + recall) if common else 0.0
    return Rouge1(f, precision, recall)


def _words(text: str) -> set[str]:
    return set(text.replace(".", " ").split())
