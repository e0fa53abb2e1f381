"""Adjudication: what an adjudicator sees of an item, and when a decision is valid.

A position is one distinct judgement; annotators who gave the same judgement share it. Positions are shown in
an order drawn for each adjudicator and item from their content, so that neither names nor vote counts can be
inferred.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from pydantic import Field

from clinicnum.annotations.judgement import MOST_EVIDENCE, PRIVATE, Judgement, Label
from clinicnum.annotations.types import AnnotatorKind, UtcTime
from clinicnum.errors import InputError
from clinicnum.io.jsonl import content_id
from clinicnum.types import Cell, Frozen

LONGEST_COMMENT = 2000


class Adjudication(Frozen):
    """One decision on a generation; a later decision supersedes it, but both stay stored."""

    adjudication_id: str
    study_id: str
    generation_id: str
    adjudicator_id: str
    """The study-scoped pseudonym, never the account name."""
    adjudicator_kind: AnnotatorKind | None = None
    """None in bundles of earlier versions."""
    judgement: Judgement
    taken_over: bool
    """Whether the decision adopts a position unchanged; otherwise it is the adjudicator's own judgement."""
    comment: str | None = Field(default=None, max_length=LONGEST_COMMENT)
    cites: tuple[str, ...]
    """Ids of the annotations it settles: the last submitted revision of every annotator at the time."""
    stands: bool
    """Whether it is the last decision on the generation, and none of the annotations it settles was revised
    or added to since.
    """
    taxonomy_version: str
    created_at: UtcTime
    blind: bool | None = None
    """Whether models were hidden from adjudicators at the decision; None in bundles of earlier versions."""


class Position(Frozen):
    """A judgement that one or more annotators made on a generation."""

    judgement: Judgement
    """The shared judgement, with the evidence of all who made it, without confidence and rationale."""
    confidences: tuple[int, ...]
    """The distinct confidence levels given."""
    rationales: tuple[str, ...]
    """The distinct rationale texts."""
    answers: dict[str, str] = Field(default_factory=dict)
    """Its answers to the disputed questions (`annotations/disputes.py`), by their keys."""


def stands(cites: Iterable[str], current: Iterable[str]) -> bool:
    """Whether a decision still holds: it cites exactly the ids of the current last revisions of the
    annotations.
    """
    return set(cites) == set(current)


def current_decisions(adjudications: Iterable[Adjudication]) -> Mapping[str, Judgement]:
    """Generation id -> the judgement of its valid decision; generations without one are absent."""
    return {one.generation_id: one.judgement for one in adjudications if one.stands}


def seen_state_hash(annotations: Iterable[str], decisions: Iterable[str]) -> str:
    """A hash of what an adjudicator is shown (ids of revisions and earlier decisions), to detect later
    changes.

    The ids are hashed because exports list them next to pseudonyms, so they would reveal who wrote what.
    """
    return content_id(["seen", sorted(annotations), sorted(decisions)])


def positions_of(
    judgements: Sequence[Judgement],
    *,
    adjudicator: str,
    item: str,
    texts: Collection[str] = (),
    answers: Sequence[Mapping[str, str]] = (),
) -> tuple[Position, ...]:
    """The distinct judgements, in an order drawn from adjudicator, item and content.

    `texts` names the study's own free-text fields, which no two people word alike: they count as rationales.
    `answers` are those of each judgement to the disputed questions, if there are any: they tell positions
    apart, too.
    """
    groups: dict[str, list[tuple[Judgement, Mapping[str, str]]]] = {}
    for one, answered in zip(judgements, answers or [{}] * len(judgements), strict=True):
        said = [_said(one.without_custom(texts)), *([dict(answered)] if answered else [])]
        key = content_id(["position", adjudicator, item, *said])
        groups.setdefault(key, []).append((one, answered))
    return tuple(
        _position([one for one, _ in groups[key]], item, texts).model_copy(
            update={"answers": dict(groups[key][0][1])}
        )
        for key in sorted(groups)
    )


def _said(judgement: Judgement) -> dict[str, Any]:
    said = judgement.model_dump(mode="json", exclude={"labels", "criteria", "claims", "left", *PRIVATE})
    return said | {"labels": sorted((label.code, label.primary) for label in judgement.labels)}


def _position(alike: Sequence[Judgement], item: str, texts: Collection[str]) -> Position:
    codes = sorted({(not label.primary, label.code) for label in alike[0].labels})
    labels = tuple(_merged(code, alike) for _, code in codes)
    rationales = {one.rationale.strip() for one in alike if one.rationale and one.rationale.strip()}
    rationales |= {
        f"{name.replace('_', ' ')}: {text}"
        for one in alike
        for name, text in one.custom.items()
        if name in texts
    }
    return Position(
        judgement=alike[0].public(texts).model_copy(update={"labels": labels}),
        confidences=tuple(sorted({one.confidence for one in alike if one.confidence is not None})),
        rationales=tuple(sorted(rationales, key=lambda text: content_id(["rationale", item, text]))),
    )


def _merged(code: str, alike: Sequence[Judgement]) -> Label:
    given = [label for one in alike for label in one.labels if label.code == code]
    cells = {(cell.record, cell.vital) for label in given for cell in label.cells}
    return Label(
        code=code,
        primary=given[0].primary,
        spans=tuple(sorted({span for label in given for span in label.spans}))[:MOST_EVIDENCE],
        context_spans=tuple(sorted({span for label in given for span in label.context_spans}))[
            :MOST_EVIDENCE
        ],
        cells=tuple(Cell(record=record, vital=vital) for record, vital in sorted(cells))[:MOST_EVIDENCE],
    )


def position_at(positions: Sequence[Position], place: int) -> Judgement:
    """The judgement of a position by its index from 0. Raises InputError if there is no such position."""
    if not 0 <= place < len(positions):
        raise InputError(
            "there is no position {place}; expected 1 to {most}: look at the item again",
            place=place + 1,
            most=len(positions),
        )
    return positions[place].judgement
