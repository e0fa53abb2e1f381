"""Clusters of similar failures: same operation, same cause, similar text.

A text is a vector of its words (TF-IDF, every number as one word), reduced to few dimensions by a truncated
SVD: latent semantic analysis, as scikit-learn's TruncatedSVD documents it. No language model is used: the
page must work without a network, give the same result every time, and explain clusters by words. Within an
operation and a code, texts are joined by average linkage of their cosine distances, up to the distance
`NEAR`. Of more than `LINKED` texts a fixed sample is joined, and the others go to the nearest centre. Which
texts are sampled depends only on their keys.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clinicnum.annotations.curation.labelled_failure import Failure
from clinicnum.io.jsonl import content_id, text_id

MOST = 10_000
"""Largest number of failures that are grouped at once; of more, a fixed sample is taken."""
LINKED = 1_000
"""Largest number of texts that are joined pair by pair, which takes a square table of distances."""
NEAR = 0.5
"""Largest mean cosine distance within a cluster (our own choice)."""
DIMENSIONS = 50
LONGEST_TEXT = 2_000
"""Number of characters of a text that are used."""
WORDS_NAMED = 4
NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
WORD = r"[^\W\d_][^\W\d_'-]+|[#%]"

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Cluster:
    """A group of similar failures."""

    cluster_id: str
    """An id that depends on the members only, so it is unchanged as long as they are."""
    operation: str
    code: str
    words: tuple[str, ...]
    """Words more frequent in the members' texts than in other texts, and not shared by most other clusters:
    the share of members with the word is more than twice its mean share in the other clusters.
    """
    members: tuple[Failure, ...]
    """The failures of the cluster, those nearest to its centre first."""


@dataclass(frozen=True)
class Clustering:
    """All clusters, the largest first."""

    clusters: tuple[Cluster, ...]
    left_out: int
    """Failures beyond `MOST`."""


def cluster_failures(failures: Sequence[Failure]) -> Clustering:
    """Group failures; their order does not matter. A failure without similar ones is a cluster of its own."""
    ordered = sorted(failures, key=lambda one: (text_id(one.key), one.key))[:MOST]
    if not ordered:
        return Clustering((), len(failures))
    vectors, weights, words = _embed([one.text for one in ordered])
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, one in enumerate(ordered):
        groups[one.operation, one.code].append(at)
    parts = [(key, part) for key, places in groups.items() for part in _parts(vectors, np.array(places))]
    distinct = _distinctive(weights, [part for _key, part in parts])
    found = []
    for ((operation, code), members), surplus in zip(parts, distinct, strict=True):
        alike = tuple(ordered[at] for at in members)
        name = content_id(["cluster", operation, code, sorted(one.key for one in alike)])
        found.append(Cluster(name, operation, code, _named(words, surplus), alike))
    found.sort(key=lambda one: (-len(one.members), one.operation, one.code, one.cluster_id))
    return Clustering(tuple(found), len(failures) - len(ordered))


def _embed(texts: Sequence[str]) -> tuple[Floats, Any, Sequence[str]]:
    """Unit vectors of the texts (zero for a text without words), their sparse TF-IDF weights, and the
    words.
    """
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    plain = [NUMBER.sub(" # ", text[:LONGEST_TEXT].lower()) for text in texts]
    if not any(re.search(WORD, text) for text in plain):
        return np.zeros((len(texts), 1)), csr_matrix((len(texts), 1)), ["#"]
    reader = TfidfVectorizer(token_pattern=WORD, sublinear_tf=True, max_features=5_000)
    weights = reader.fit_transform(plain)
    size = min(DIMENSIONS, weights.shape[0] - 1, weights.shape[1] - 1)
    # n_iter and seed fixed: the same texts give the same vectors.
    with np.errstate(invalid="ignore"):  # of texts that are all alike it divides by a variance of 0
        made = (
            TruncatedSVD(size, n_iter=3, random_state=0).fit_transform(weights)
            if size > 1
            else weights.toarray()
        )
    length = np.linalg.norm(made, axis=1, keepdims=True)
    unit = np.divide(made, length, out=np.zeros_like(made), where=length > 1e-9)
    return unit, weights, reader.get_feature_names_out().tolist()


def _parts(vectors: Floats, places: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Positions of each cluster's members within one group, those nearest to its centre first."""
    silent = np.linalg.norm(vectors[places], axis=1) == 0
    parts = [places[silent]] if silent.any() else []
    saying = places[~silent]
    if len(saying):
        joined = _joined(vectors[saying[:LINKED]])
        centres = np.array(
            [vectors[saying[:LINKED]][joined == c].mean(axis=0) for c in range(joined.max() + 1)]
        )
        rest = np.argmax(vectors[saying[LINKED:]] @ _unit(centres).T, axis=1)
        whose = np.concatenate([joined, rest])
        parts += [_from_centre(vectors, saying[whose == c]) for c in range(len(centres))]
    return parts


def _joined(vectors: Floats) -> NDArray[np.int64]:
    from sklearn.cluster import AgglomerativeClustering

    if len(vectors) == 1:
        return np.zeros(1, dtype=np.int64)
    linkage = AgglomerativeClustering(
        n_clusters=None, metric="cosine", linkage="average", distance_threshold=NEAR
    )
    return np.asarray(linkage.fit_predict(vectors), dtype=np.int64)


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12))


def _from_centre(vectors: Floats, places: NDArray[np.int64]) -> NDArray[np.int64]:
    centre = _unit(vectors[places].mean(axis=0, keepdims=True))[0]
    # Rounded, so that equal texts are in the order of their keys, not in that of rounding errors.
    near = np.round(vectors[places] @ centre, 6)
    return places[np.argsort(-near, kind="stable")]


def _distinctive(weights: Any, parts: Sequence[NDArray[np.int64]]) -> Iterator[Floats]:
    """For each cluster, given by its texts' rows, the surplus of every word's mean weight over that of all
    texts; 0 for a word that is shared (see `Cluster.words`), and for all words of an only cluster.
    """
    usual = np.asarray(weights.mean(axis=0)).ravel()
    has = weights > 0
    shares = np.zeros(weights.shape[1])
    for members in parts:
        shares += np.asarray(has[members].mean(axis=0)).ravel()
    for members in parts:
        own = np.asarray(has[members].mean(axis=0)).ravel()
        others = (shares - own) / max(len(parts) - 1, 1)
        # Rounded, so that a word in exactly half of the other clusters is always left out.
        distinct = np.round(own - 2 * others, 9) > 0 if len(parts) > 1 else np.zeros(own.shape, dtype=bool)
        surplus = np.asarray(weights[members].mean(axis=0)).ravel() - usual
        yield np.where(distinct, surplus, 0.0)


def _named(words: Sequence[str], more: Floats) -> tuple[str, ...]:
    """The most characteristic words: those with the largest surplus `more` over the other texts."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    named: list[str] = []
    for at in np.argsort(-more, kind="stable"):
        if len(named) == WORDS_NAMED or more[at] <= 0:
            break
        word = words[at]
        if word not in ENGLISH_STOP_WORDS and word not in ("#", "%"):
            named.append(word)
    return tuple(named)
