"""Variants `chain`: a colleague's wrong remark, or a further step.

A remark is quoted, never an instruction, and what it leads to is not the gold. A further step makes another
tree, with its own gold, working and mistakes.
"""

import random
from dataclasses import replace
from decimal import Decimal

from clinicnum.questions.ask_question import gold_of
from clinicnum.taxonomy_codes import (
    DISTRACTOR_USED,
    MISSED_RECORD,
    PREMATURE_ROUNDING,
    WRONG_COMPARATOR,
    WRONG_RECORD,
)
from clinicnum.templates.distractors import WrongTree
from clinicnum.templates.evaluate_tree import Case, UndefinedError, answer, answer_text
from clinicnum.templates.tree import CompareNode, CountNode, RootNode
from clinicnum.templates.tree_walk import nodes
from clinicnum.templates.worked_solution import worked_solution
from clinicnum.types import Distractor
from clinicnum.variants.answer_bounds import setting_of
from clinicnum.variants.extra_step import NO_STEP, longer, step_of
from clinicnum.variants.node_intervals import undecided
from clinicnum.variants.variant_draft import NotApplicableError, VariantDraft, plausible_mistakes, possible

SLIPS_OF_READING = frozenset({WRONG_RECORD, MISSED_RECORD, WRONG_COMPARATOR})
"""Codes of slips that a person is likely to make; these are tried before others."""

PLURAL = ("points", "minutes", "hours")

Attempt = tuple[Distractor, RootNode | None]
"""A wrong answer with the tree that gives it; None if the right tree gives it on other records."""


def wrong_step(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant with a remark that makes one of the template's own mistakes or, if it has none, a slip; but
    no early rounding.

    Raises NotApplicableError if no mistake gives another answer.
    """
    own = _own_mistakes(draft)
    if own:
        return _remarked(draft, rng.choice(own))
    slips = [item for item in plausible_mistakes(draft) if item.code != PREMATURE_ROUNDING]
    for item in sorted(rng.sample(slips, len(slips)), key=lambda item: item.code not in SLIPS_OF_READING):
        tree = _tree_of(draft, item)
        if tree is None or _sensible(draft, tree):
            return _remarked(draft, (item, tree))
    raise NotApplicableError("no mistake gives another answer")


def early_rounding(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant whose remark rounds an intermediate result.

    Raises NotApplicableError if that does not change the answer.
    """
    items = [item for item in plausible_mistakes(draft) if item.code == PREMATURE_ROUNDING]
    if not items:
        raise NotApplicableError("rounding early does not change the answer")
    item = rng.choice(items)
    return _remarked(draft, (item, _tree_of(draft, item)))


def _own_mistakes(draft: VariantDraft) -> list[Attempt]:
    """The results of the template's own mistakes that are possible answers."""
    own = {(mistake.rule, mistake.code) for mistake in draft.asked.template.mistakes}
    range_ = possible(draft)
    found: list[Attempt] = []
    for wrong in draft.asked.wrong:
        if (wrong.rule, wrong.code) not in own or wrong.code == PREMATURE_ROUNDING:
            continue
        try:
            value = answer_text(wrong.tree, draft.case)
        except UndefinedError:
            continue
        if value != draft.gold.text and (draft.gold.exact is None or range_.holds(Decimal(value))):
            item = Distractor.model_construct(value=value, rule=wrong.rule, code=wrong.code)
            found.append((item, wrong.tree))
    return found


def _remarked(draft: VariantDraft, attempt: Attempt) -> VariantDraft:
    item, tree = attempt
    step = "" if tree is None else _wrong_line(draft, tree, rounded=item.code == PREMATURE_ROUNDING)
    remark = f'A colleague remarks: "{step}I make it {item.value}{_unit(draft, item.value)}."'
    tempted = Distractor.model_construct(value=item.value, rule=f"remark_{item.rule}", code=DISTRACTOR_USED)
    words = replace(draft.words, remark=remark)
    return replace(draft, words=words, temptations=(*draft.temptations, tempted))


def _unit(draft: VariantDraft, value: str) -> str:
    unit = draft.asked.template.unit
    if unit is None:
        return ""
    return f" {unit.removesuffix('s')}" if value == "1" and unit in PLURAL else f" {unit}"


def _wrong_line(draft: VariantDraft, tree: RootNode, *, rounded: bool) -> str:
    """The line at which the mistake's calculation goes wrong, out of several; '' if there is none."""
    template = draft.asked.template
    right = worked_solution(template.tree, draft.case, draft.gold, template.givens)
    given = answer(tree, draft.case)
    # Without the last line: the remark states the answer anyway.
    lines = worked_solution(tree, draft.case, given, template.givens)[:-1]
    wrong = [line for line in lines if line not in right]
    if given.exact is None:
        # Of the lines on records, the one of the record whose time is the answer.
        wrong = [line for line in wrong if line.startswith(given.text)]
    elif isinstance(tree, CountNode):
        # Of the lines on records, those whose verdict (their last characters) differs.
        wrong = [one for one, other in zip(lines, right, strict=False) if one[-4:] != other[-4:]] or wrong
    if not wrong:
        return ""
    return f"{'I rounded on the way. ' if rounded else ''}{wrong[-1]} So "


def _tree_of(draft: VariantDraft, item: Distractor) -> RootNode | None:
    return next((w.tree for w in draft.asked.wrong if _gives(w, item, draft.case)), None)


def _gives(wrong: WrongTree, item: Distractor, case: Case) -> bool:
    """Whether the tree `wrong` gives the distractor; a mistake may have several trees."""
    if (wrong.rule, wrong.code) != (item.rule, item.code):
        return False
    try:
        return answer_text(wrong.tree, case) == item.value
    except UndefinedError:
        return False


def _sensible(draft: VariantDraft, tree: RootNode) -> bool:
    """Whether a person could plausibly make every comparison of a slip."""
    compared = [node for node in nodes(tree) if isinstance(node, CompareNode)]
    if not compared:
        return True
    setting = setting_of(draft.asked.template, draft.case)
    return all(undecided(node, setting) for node in compared)


def extra_step(draft: VariantDraft, rng: random.Random) -> VariantDraft:
    """The variant that asks for a further step after the template's question.

    Raises NotApplicableError if no further step suits the template, and RejectedError or NotAskedError if the
    longer question is not valid.
    """
    step = step_of(draft.asked.template)
    if step is None:
        raise NotApplicableError(NO_STEP)
    asked = longer(draft.asked, step)
    case = replace(draft.case, decimals=asked.template.decimals or 0)
    gold = gold_of(asked, case)
    words = replace(draft.words, step=step.words, form=asked.template.answer_form)
    return replace(draft, asked=asked, case=case, gold=gold, words=words, tree_or_records_changed=True)
