"""Family `chain`: a colleague's wrong remark, or one step more.

A remark is quoted, never an instruction, and what it leads to is not the gold. A further step makes another
tree, with its own gold, working and mistakes.
"""

import random
from collections.abc import Sequence
from dataclasses import replace

from clinicnum.questions import gold_of
from clinicnum.templates.evaluate import Case, UndefinedError, answer, answer_text
from clinicnum.templates.mistakes import PREMATURE_ROUNDING, WrongTree
from clinicnum.templates.worked import worked
from clinicnum.types import Distractor
from clinicnum.variants.draft import Draft, NotApplicableError, plausible_mistakes
from clinicnum.variants.steps import further

REMARK = "contextual_inconsistency.distractor_used"


def wrong_step(draft: Draft, rng: random.Random) -> Draft:
    """The remark makes one of the template's mistakes, rounding apart."""
    items = [item for item in plausible_mistakes(draft) if item.code != PREMATURE_ROUNDING]
    return _remarked(draft, items, rng, "no mistake gives another answer")


def early_rounding(draft: Draft, rng: random.Random) -> Draft:
    """The remark rounds on the way, where that changes the answer."""
    items = [item for item in draft.mistakes.items if item.code == PREMATURE_ROUNDING]
    return _remarked(draft, items, rng, "rounding early does not change the answer")


def _remarked(draft: Draft, items: Sequence[Distractor], rng: random.Random, otherwise: str) -> Draft:
    if not items:
        raise NotApplicableError(otherwise)
    item = rng.choice(items)
    unit = f" {draft.asked.template.unit}" if draft.asked.template.unit else ""
    step = _wrong_line(draft, item)
    remark = f'A colleague remarks: "{step}I make it {item.value}{unit}."'
    tempted = Distractor.model_construct(value=item.value, rule=f"remark_{item.rule}", code=REMARK)
    words = replace(draft.words, remark=remark)
    return replace(draft, words=words, temptations=(*draft.temptations, tempted))


def _wrong_line(draft: Draft, item: Distractor) -> str:
    """The last line of the mistake's working that the right one does not have; '' where there is none."""
    tree = next((w.tree for w in draft.asked.wrong if _gives(w, item, draft.case)), None)
    if tree is None:
        return ""
    template = draft.asked.template
    right = worked(template.tree, draft.case, draft.gold, template.givens)
    lines = worked(tree, draft.case, answer(tree, draft.case), template.givens)
    line = next((line for line in reversed(lines[:-1]) if line not in right), None)
    if line is None:
        return ""
    rounded = "I rounded on the way. " if item.code == PREMATURE_ROUNDING else ""
    return f"{rounded}{line} So "


def _gives(wrong: WrongTree, item: Distractor, case: Case) -> bool:
    """Whether a distractor comes from this tree; a rule may have several."""
    if (wrong.rule, wrong.code) != (item.rule, item.code):
        return False
    try:
        return answer_text(wrong.tree, case) == item.value
    except UndefinedError:
        return False


def extra_step(draft: Draft, rng: random.Random) -> Draft:
    """One step more, after what the template asks; said in words."""
    asked, step = further(draft.asked, rng)
    case = replace(draft.case, decimals=asked.template.decimals or 0)
    words = replace(draft.words, step=step, form=asked.template.answer_form)
    return replace(draft, asked=asked, case=case, gold=gold_of(asked, case), words=words, anew=True)
