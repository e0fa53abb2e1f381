"""Recompute a stored instance with another bank: the gold of that bank's template on the same records and
slots.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from clinicnum.errors import InputError
from clinicnum.lint.checked_instance import OwnItem
from clinicnum.lint.instance_conformance import case_of, form_findings, withheld
from clinicnum.lint.lint_results import Place
from clinicnum.lint.template_lookup import OwnBank
from clinicnum.questions.ask_question import NotAskedError, PreparedTemplate, RejectedError, gold_of
from clinicnum.scoring import check_scorable
from clinicnum.templates.evaluation_input import Answer, table_of
from clinicnum.templates.exact_numbers import exact_text
from clinicnum.templates.template import ASKABLE, Template
from clinicnum.translatable_text import Translatable, joined
from clinicnum.types import Instance

Kind = Literal["same", "gold_changed", "wording_changed", "cannot_be_asked", "withdrawn", "elsewhere"]
FILLING = frozenset({"template.slots", "V1.absent", "V1.given_absent", "V5.given", "V6.given"})
"""Rules whose findings mean that these records, slots and givens do not fit the template."""
NOT_DOCUMENTED = "V1.not_documented"
_NOWHERE = Place(0, 0)


@dataclass(frozen=True)
class RecomputedInstance:
    """The outcome of recomputing a stored instance with another bank."""

    kind: Kind
    why: str
    version: int | None
    """Version of its template in the new bank."""
    instance: Instance | None = None
    """The recomputed instance; None if it cannot be asked."""


class _Unfit(Exception):
    """The instance cannot be asked as before; the message says why."""


class Recomputed:
    """A bank that is ready to recompute stored instances.

    `decimals` maps template id to the decimals that the benchmark's preset requests instead of the
    template's. `instances` are those of the benchmark: the wording of a variant is checked by its base
    instance.
    """

    def __init__(
        self, templates: Sequence[Template], decimals: Mapping[str, int], instances: Iterable[Instance]
    ) -> None:
        askable = [one for one in templates if one.status in ASKABLE]
        self._templates = {one.id: one for one in askable}
        self._bank = OwnBank(askable)
        self._decimals = decimals
        self._bases = {one.instance_id: one for one in instances if one.variant is None}

    def of(self, instance: Instance) -> RecomputedInstance:
        """What becomes of one instance under the bank."""
        if "external" in (instance.operation, instance.representation):
            return RecomputedInstance(
                "elsewhere", Translatable("no template of the bank made it"), None, instance
            )
        template = self._templates.get(instance.template_id)
        if template is None:
            return RecomputedInstance(
                "withdrawn", Translatable("the bank has no {template}", template=instance.template_id), None
            )
        try:
            anew = self._anew(instance, template)
        except _Unfit as unfit:
            return RecomputedInstance(
                "cannot_be_asked",
                Translatable("cannot be asked as it was: {why}", why=unfit.args[0]),
                template.version,
            )
        return self._compared(instance, anew, template)

    def _compared(self, instance: Instance, anew: Instance, template: Template) -> RecomputedInstance:
        said: list[str] = []
        if anew.answer != instance.answer:
            said.append(Translatable("gold was {before}, is {now}", before=instance.answer, now=anew.answer))
        elif anew.answer_exact != instance.answer_exact:
            said.append(
                Translatable(
                    "exact gold was {before}, is {now}",
                    before=instance.answer_exact,
                    now=anew.answer_exact,
                )
            )
        reworded = self._reworded(instance, template)
        kind: Kind = "gold_changed" if said else "same"
        if reworded is not None:
            kind = "wording_changed"
            said.insert(0, reworded)
        why = joined("; ", said) or Translatable("as it was")
        return RecomputedInstance(kind, why, template.version, instance if kind == "same" else anew)

    def _reworded(self, instance: Instance, template: Template) -> str | None:
        """How the wording changed; None if it did not."""
        base = instance if instance.variant is None else self._bases.get(instance.base_id or "")
        if base is None:
            if instance.template_version == template.version:
                return None
            return Translatable(
                "the question is a rewriting whose base is not here, so its wording is taken to have changed"
            )
        asked = template.model_copy(update={"decimals": self._asked_decimals(base, template)})
        questions = [asked.question(n, base.slots) for n in range(len(asked.wording))]
        if base.question in questions:
            return None
        return Translatable(
            "the stored answer answers another wording; version {version} asks: {question}",
            version=template.version,
            question=questions[0],
        )

    def _asked_decimals(self, instance: Instance, template: Template) -> int | None:
        """The decimals requested of the answer.

        They are the instance's own if its template version is unchanged, otherwise the preset's or the
        template's.
        """
        if instance.template_version == template.version:
            return instance.decimals
        return self._decimals.get(template.id, template.decimals)

    def _anew(self, instance: Instance, template: Template) -> Instance:
        """The instance under the bank's version of its template. Raises _Unfit if it cannot be asked."""
        moved = instance.model_copy(
            update={
                "template_version": template.version,
                "decimals": self._asked_decimals(instance, template),
            }
        )
        asked = self._bank.asked(moved)
        if asked is None:
            raise _Unfit(Translatable("it names no further step that is known"))
        gold = _gold(moved, asked)
        answer_type = instance.answer_type
        if answer_type not in ("choice", "unanswerable"):
            answer_type = asked.template.answer_type
        anew = moved.model_copy(
            update={
                "answer": None if gold is None else gold.text,
                "answer_exact": None if gold is None or gold.exact is None else exact_text(gold.exact),
                "answer_type": answer_type,
                "unit": asked.template.unit,
                "decimals": asked.template.decimals,
            }
        )
        if anew.options and anew.answer not in anew.options:
            raise _Unfit(Translatable("its gold is now {now}, which is none of the options", now=anew.answer))
        try:
            check_scorable(anew)
        except InputError as error:
            raise _Unfit(str(error)) from error
        return anew


def _gold(instance: Instance, asked: PreparedTemplate) -> Answer | None:
    """The gold; None if the question was made unanswerable. Raises _Unfit if no gold can be computed."""
    table = table_of(instance.records)
    faults = [one for one in form_findings(OwnItem(_NOWHERE, instance), asked, table) if one.rule in FILLING]
    if faults:
        raise _Unfit(faults[0].message)
    open_ended = instance.expected == "abstains"
    if withheld(instance, asked):
        return None
    try:
        gold = gold_of(asked, case_of(instance, asked, table))
    except NotAskedError:
        raise _Unfit(Translatable("the template's own condition does not hold on its records")) from None
    except RejectedError as rejected:
        if open_ended and str(rejected) == NOT_DOCUMENTED:
            return None
        raise _Unfit(Translatable("rule {rule} rejects it", rule=str(rejected))) from None
    if open_ended:
        raise _Unfit(Translatable("it was made unanswerable and now has an answer"))
    return gold
