"""Turn a variant's draft into an instance: compute the answer again from the records that the instance will
hold, and check that its rendered context still says what those records do.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from clinicnum.io.jsonl import content_id
from clinicnum.questions.ask_question import RejectedError, gold_of
from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.templates.distractors import Distractors, distractors
from clinicnum.templates.evaluate_tree import Answer, answer, evidence
from clinicnum.templates.exact_numbers import exact_text
from clinicnum.templates.tree import RootNode
from clinicnum.templates.worked_solution import worked_solution
from clinicnum.types import Cell, Distractor, Instance
from clinicnum.validity.instance_rules import check_instance_text
from clinicnum.validity.non_discriminating_flags import flags
from clinicnum.variants.extra_step import crossing
from clinicnum.variants.kinds import Expected, VariantSpec
from clinicnum.variants.needed_values import shown, with_value
from clinicnum.variants.variant_draft import NotApplicableError, VariantDraft, WithheldValue, case_of


def settle(draft: VariantDraft, expected: Expected) -> VariantDraft:
    """Prove the answer of a draft whose tree and records are final, and derive the remaining fields.

    `expected` is what the kinds so far promise. Raises RejectedError naming the rule that fails.
    """
    if draft.withheld is not None:
        _prove_open(draft, draft.withheld)
        return replace(draft, told=_unanswered(draft, draft.withheld))
    _prove(draft, expected)
    if not draft.tree_or_records_changed:
        return draft
    tree = draft.asked.template.tree
    mistakes = distractors(tree, draft.asked.wrong, draft.case, draft.gold)
    told = _answered(draft) | {"flags": _flags(draft, mistakes)}
    return replace(draft, mistakes=mistakes, told=told)


def _prove(draft: VariantDraft, expected: Expected) -> None:
    """Compute the answer again from the records that the instance will hold.

    Raises RejectedError if it differs from the draft's, or from the base's where `expected` is `same`.
    """
    gold = gold_of(draft.asked, case_of(draft, draft.records))
    if gold != draft.gold:
        raise RejectedError("variant.gold_not_reproduced")
    if expected == "same" and (gold.text, _exact(gold)) != (draft.base.answer, draft.base.answer_exact):
        raise RejectedError("variant.answer_not_the_same")


def _prove_open(draft: VariantDraft, withheld: WithheldValue) -> None:
    """Raise RejectedError unless the tree gives no answer without the withheld value, and different ones with
    its two completions.
    """
    need, given = withheld.need, []
    for value, _ in withheld.completions:
        changed = with_value(draft, need, value)
        filled = None if changed is None else replace(draft, records=changed.records, case=changed.case)
        given.append(None if filled is None else _gold_text(filled))
    # A tree uses every given, so only a cell may turn out not to be needed.
    answered = isinstance(need, Cell) and _gold_text(draft) is not None
    if answered or given != [text for _, text in withheld.completions] or len(set(given)) < 2:
        raise RejectedError("variant.answer_not_open")


def _gold_text(draft: VariantDraft) -> str | None:
    try:
        return gold_of(draft.asked, case_of(draft, draft.records)).text
    except RejectedError:
        return None


def _exact(gold: Answer) -> str | None:
    return None if gold.exact is None else exact_text(gold.exact)


def _form(draft: VariantDraft) -> dict[str, Any]:
    template = draft.asked.template
    return {
        "steps": template.steps,
        "tags": template.tags,
        "decimals": template.decimals,
        "unit": template.unit,
    }


def _answered(draft: VariantDraft) -> dict[str, Any]:
    template, case, gold = draft.asked.template, draft.case, draft.gold
    return _form(draft) | {
        "answer": gold.text,
        "answer_exact": _exact(gold),
        "answer_type": template.answer_type,
        "worked": worked_solution(template.tree, case, gold, template.givens),
        "evidence": evidence(template.tree, case, gold),
    }


def _unanswered(draft: VariantDraft, withheld: WithheldValue) -> dict[str, Any]:
    need = withheld.need
    if isinstance(need, Cell):
        what = f"At {draft.case.table.times[need.record]}: {VITAL_SIGNS[need.vital].label}"
    else:
        label = draft.asked.template.givens[need].label
        what = f"{label[0].upper()}{label[1:]}"
    (one, first), (other, second) = ((shown(draft, need, v), text) for v, text in withheld.completions)
    return _form(draft) | {
        "answer": None,
        "answer_exact": None,
        "answer_type": "unanswerable",
        "worked": (
            f"{what} is not documented.",
            f"With {one} the answer would be {first}, with {other} it would be {second}.",
            "So the answer is not documented.",
        ),
        "evidence": (need,) if isinstance(need, Cell) else (),
        "flags": (),
    }


def _flags(draft: VariantDraft, mistakes: Distractors) -> tuple[str, ...]:
    """The V7 flags of a variant: its answers that a shortcut would give, too (`non_discriminating_flags`).

    Where its extra step asks for the minutes until a crossing, they are the flags of the crossing itself.
    """
    tree: RootNode = draft.asked.template.tree
    gold = draft.gold
    to = crossing(tree) if draft.words.step else None
    if to is not None:
        tree, gold = to, answer(to, draft.case)
    return flags(tree, gold, len(draft.records), mistakes)


def finish(draft: VariantDraft, spec: VariantSpec) -> Instance:
    """The variant as an instance. Raises RejectedError naming the broken rule, NotApplicableError if nothing
    changed.
    """
    base, question = draft.base, draft.words.text()
    seen = (draft.context, question, draft.options, draft.prompt_id)
    if seen == (base.context, base.question, base.options, base.prompt_id):
        raise NotApplicableError("nothing changes")
    if draft.context != base.context:
        name, framed = base.representation, draft.frame is not None
        faults = check_instance_text(draft.records, draft.givens, name, draft.context, question, frame=framed)
        if faults:
            raise RejectedError(faults[0].rule)
    told: Mapping[str, Any] = draft.told or {"answer": base.answer}
    update: dict[str, Any] = {
        "instance_id": content_id([base.group_id, spec.name, base.representation, *seen, told["answer"]]),
        "variant": spec.name,
        "base_id": base.instance_id,
        "expected": spec.expected,
        "context": draft.context,
        "question": question,
        "options": draft.options,
        "points": draft.points,
        "prompt_id": draft.prompt_id,
        "records": draft.records,
        "givens": draft.givens,
        "distractors": _invited(draft),
        **told,
    }
    if draft.options:
        update |= {"answer_type": "choice", "scoring": "choice"}
    return base.model_copy(update=update)


def _invited(draft: VariantDraft) -> tuple[Distractor, ...]:
    """Wrong answers invited by mistakes and by what the variant added; never the gold, and no value
    twice for one code.
    """
    if draft.withheld is None and not draft.temptations:
        return draft.mistakes.items
    mistakes = draft.mistakes.items if draft.withheld is None else ()
    right = draft.gold.text if draft.withheld is None else None
    items: dict[tuple[str, str], Distractor] = {}
    for item in (*mistakes, *draft.temptations):
        if item.value != right:
            items.setdefault((item.value, item.code), item)
    return tuple(items.values())
