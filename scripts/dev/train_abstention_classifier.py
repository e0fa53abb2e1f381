"""Train the model that recognises answers that decline an unanswerable question, and write its weights.

Usage: python -m clinicnum.scripts.dev.train_abstention_classifier
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import Normalizer

from clinicnum.parsing.abstention_classifier import phrases_of

ANSWERS = Path("tests/clinicnum/read_texts/unanswerable.jsonl")
WEIGHTS = Path("clinicnum/parsing/abstention_model.json")
_DIGITS = 2
_INVERSE_PENALTY = 30
"""Chosen on the first five sets of answers, evaluated on the next three."""


class Fitted(TypedDict):
    """The fitted parameters that are stored."""

    intercept: float
    weights: dict[str, float]


def train(texts: Sequence[str], declines: Sequence[bool]) -> Fitted:
    """Fit phrase weights and an intercept to texts labelled with whether they abstain."""
    counts = CountVectorizer(analyzer=phrases_of, binary=True, min_df=2)
    model = LogisticRegression(C=_INVERSE_PENALTY, max_iter=3000)
    model.fit(Normalizer().fit_transform(counts.fit_transform(texts)), declines)
    rounded = {
        phrase: round(float(weight), _DIGITS)
        for phrase, weight in zip(counts.get_feature_names_out(), model.coef_[0], strict=True)
    }
    weights = {phrase: rounded[phrase] for phrase in sorted(rounded) if rounded[phrase]}
    return {"intercept": round(float(model.intercept_[0]), _DIGITS), "weights": weights}


def main() -> None:
    rows = [json.loads(line) for line in ANSWERS.read_text("utf-8").splitlines()]
    fitted = train([row["text"] for row in rows], [row["verdict"] == "abstains" for row in rows])
    WEIGHTS.write_text(json.dumps(fitted, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
