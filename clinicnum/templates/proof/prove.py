"""Compare each wording of a template with its rule: proven, contradicted, or not proven."""

from collections.abc import Mapping
from typing import Any, Literal

from clinicnum.templates.proof.grammar import Meaning
from clinicnum.templates.proof.meaning_differences import difference
from clinicnum.templates.proof.normal_form import ContradictionError, normal_form
from clinicnum.templates.proof.partial_reading import find_contradiction
from clinicnum.templates.proof.rule_meaning import labels_of, required_meanings, rule_meaning
from clinicnum.templates.proof.wording_meaning import expanded, meanings
from clinicnum.types import Frozen

Status = Literal["proven", "contradicted", "not_proven"]


class Proof(Frozen):
    """Whether one wording was proven."""

    wording: int
    """Index of the wording in the template."""
    status: Status
    message: str = ""
    """One line: what the wording says and what the rule computes, or why it is not proven."""


def prove(content: Mapping[str, Any]) -> tuple[Proof, ...]:
    """The result for every wording of a template, in order. `content`: the template as in a file."""
    return tuple(_prove(i, wording, content) for i, wording in enumerate(content["wording"]))


def _prove(i: int, wording: str, content: Mapping[str, Any]) -> Proof:
    rule = rule_meaning(content)
    said, unclear = [], ""
    for meaning in meanings(wording, tuple(labels_of(content).values())):
        try:
            whole = expanded(meaning)
            said.append((whole, _form(whole, content)))
        except ContradictionError as why:
            unclear = str(why)
    if not said and not unclear:
        sure = find_contradiction(wording, tuple(labels_of(content).values()), rule)
        if sure:
            return Proof(wording=i, status="contradicted", message=sure)
        return Proof(wording=i, status="not_proven", message="the grammar does not read it")
    if not said:
        return Proof(wording=i, status="contradicted", message=unclear)
    if len({form for _, form in said}) > 1:
        return Proof(wording=i, status="not_proven", message="it can be read in more than one way")
    try:
        same = said[0][1] == normal_form(rule)
    except ContradictionError as why:
        return Proof(wording=i, status="not_proven", message=f"of the rule: {why}")
    if same:
        return Proof(wording=i, status="proven")
    return Proof(wording=i, status="contradicted", message=difference(said[0][0], rule))


def _form(said: Meaning, content: Mapping[str, Any]) -> Meaning:
    """The normal form of a wording's meaning.

    Raises ContradictionError if the wording presupposes what the template, whose fields are `content`, does
    not require.
    """
    if said[0] != "presuming":
        return normal_form(said)
    if normal_form(said[1]) not in map(normal_form, required_meanings(content)):
        raise ContradictionError("it presumes what the template does not require")
    return normal_form(said[2])
