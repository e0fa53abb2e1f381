"""Try a template on sample patients: whether its questions satisfy every validity rule, and what they look
like.

Questions come from the generator (`clinicnum.generation.candidate_questions`,
`clinicnum.questions.ask_question`), which checks each against every rule in every representation. A trial
then has each instance examined anew from its text alone, as `clinicnum lint` does. Faults that only a sample
shows are in `template_trial_faults`.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from clinicnum.authoring.sample_patients import BLOCKS
from clinicnum.authoring.template_trial_faults import FLAGGED_JUDGED, RevealedAnswers, sampled_faults
from clinicnum.authoring.template_trial_outcomes import Outcomes
from clinicnum.generation.instance_writer import QuestionInstances
from clinicnum.lint.checked_instance import OwnItem
from clinicnum.lint.instance_check import examine
from clinicnum.lint.lint_results import Finding, Place
from clinicnum.lint.template_lookup import OwnBank
from clinicnum.questions.ask_question import PreparedTemplate, Question
from clinicnum.records.synthetic import BLOCK
from clinicnum.templates.fault_messages import Fault
from clinicnum.templates.published_example import check_example
from clinicnum.templates.template import Template
from clinicnum.translatable_text import Translatable
from clinicnum.types import REPRESENTATIONS, Frozen, Instance, RepresentationName

PREVIEW_TRIED, PREVIEW_LIMIT, PREVIEW_STAYS = 40, 2_000, 2_000
"""Candidates of a preview: fewest to try, to show what is rejected; most to try; stays to draw on."""
MANY_VALID = 5
"""Stop seeking unflagged questions after this many times the sample (or 3 FLAGGED_JUDGED) valid ones."""
STAYS = BLOCKS * BLOCK
BENCHMARK = "studio"


class Trial(Frozen):
    """Result of trying a template on sample patients."""

    asked: int
    """Candidates that gave a question, valid or rejected."""
    not_asked: int
    """Candidates that do not meet the template's conditions."""
    taken: int
    """Questions taken, each an instance in every representation."""
    by_representation: dict[RepresentationName, int]
    """Representation -> instances without a finding."""
    rejected: dict[str, int]
    """Candidates dropped, by rule."""
    broken: dict[str, int]
    """Rule -> findings of lint."""
    flagged: int
    """Questions taken that have a V7 flag."""
    faults: tuple[Fault, ...]
    holds: bool
    """The whole sample was taken, every validity rule holds on every instance, and there is no fault."""


class PreviewExample(Frozen):
    """One question as complete instances, one per representation."""

    instances: tuple[Instance, ...]


class Preview(Frozen):
    """Example questions of a template on synthetic patients, and why there are no more."""

    examples: tuple[PreviewExample, ...]
    rejected: dict[str, int]
    """Rule -> candidates dropped in finding examples."""
    faults: tuple[Fault, ...]


def try_template(template: Template, *, sample: int = 200, seed: int = 0, stays: int = STAYS) -> Trial:
    """Generate `sample` questions of a template on synthetic patients, and check each instance.

    `stays` is the largest number of synthetic stays to use.
    """
    outcomes = Outcomes(PreparedTemplate.of(template), seed, stays=stays)
    given, bank = RevealedAnswers(template), OwnBank([template])
    clean: Counter[RepresentationName] = Counter({name: 0 for name in REPRESENTATIONS})
    broken: Counter[str] = Counter()
    drawn = _Drawn(sample)
    drawn.draw(outcomes, given, least=0, most=max(MANY_VALID * sample, 3 * FLAGGED_JUDGED))
    for turn, question in enumerate(drawn.questions):
        for instance in _instances(question, turn):
            found = list(_findings(instance, bank))
            broken.update(found)
            clean[instance.representation] += not found
    taken = len(drawn.questions)
    faults = (
        *_example_faults(template),
        *sampled_faults(outcomes, sample, given),
        *(Fault(rule="validity", path=(), message=_broken(rule, n)) for rule, n in sorted(broken.items())),
    )
    return Trial(
        asked=outcomes.tried - outcomes.not_asked,
        not_asked=outcomes.not_asked,
        taken=taken,
        by_representation=dict(clean),
        rejected=dict(sorted(outcomes.rejected.items())),
        broken=dict(sorted(broken.items())),
        flagged=sum(not question.discriminates for question in drawn.questions),
        faults=faults,
        holds=not faults,
    )


def preview(template: Template, *, count: int = 3, seed: int = 0) -> Preview:
    """Up to `count` example questions of a template on synthetic patients, those that discriminate first.

    Successive questions take the template's wordings in turn; `seed` chooses the patients.
    """
    outcomes = Outcomes(PreparedTemplate.of(template), seed, stays=PREVIEW_STAYS, limit=PREVIEW_LIMIT)
    given, drawn = RevealedAnswers(template), _Drawn(count)
    drawn.draw(outcomes, given, least=PREVIEW_TRIED, most=FLAGGED_JUDGED)
    examples = [PreviewExample(instances=tuple(_instances(q, i))) for i, q in enumerate(drawn.questions)]
    faults = (*_example_faults(template), *sampled_faults(outcomes, 0, given))
    rejected = dict(sorted(outcomes.rejected.items()))
    return Preview(examples=tuple(examples), rejected=rejected, faults=faults)


@dataclass
class _Drawn:
    """The questions drawn for a trial: unflagged ones first; flagged ones fill the places left."""

    count: int
    telling: list[Question] = field(default_factory=list)
    flagged: list[Question] = field(default_factory=list)

    def draw(self, outcomes: Outcomes, given: RevealedAnswers, *, least: int, most: int) -> None:
        """Draw questions until `count` can be filled, at least half by unflagged ones, and `least` candidates
        were tried.

        Once `most` valid questions were found, the first condition is waived.
        """
        for question in outcomes.questions():
            given.add(question)
            kept = self.telling if question.discriminates else self.flagged
            if len(kept) < self.count:
                kept.append(question)
            enough = len(self.telling) + min(len(self.telling), len(self.flagged)) >= self.count
            if (enough or outcomes.valid >= most) and outcomes.tried >= least:
                return

    @property
    def questions(self) -> list[Question]:
        """The drawn questions, unflagged ones first; at most `count`."""
        return [*self.telling, *self.flagged][: self.count]


def _instances(question: Question, turn: int) -> list[Instance]:
    wording = turn % len(question.asked.template.wording)
    scope = "stay" if len({record.stay_id for record in question.shown.records}) == 1 else "subject"
    return QuestionInstances(question, wording, REPRESENTATIONS, BENCHMARK, scope).instances()


def _findings(instance: Instance, bank: OwnBank) -> Iterator[str]:
    examined = examine(OwnItem(Place(1, 1), instance), bank, framed=False)
    yield from (said.rule for said in examined.said if isinstance(said, Finding))
    if not examined.checked:
        yield "not_checked"


def _example_faults(template: Template) -> Iterator[Fault]:
    wrong = check_example(template)
    if wrong is not None:
        yield Fault(
            rule="example", path=("example",), message=Translatable("the example {wrong}", wrong=wrong)
        )


def _broken(rule: str, count: int) -> str:
    text = Translatable(
        "{rule} does not hold on {n} sampled instances, as the examiner of clinicnum lint found; correct the "
        "template"
    )
    if count == 1:
        text = Translatable(
            "{rule} does not hold on {n} sampled instance, as the examiner of clinicnum lint found; correct "
            "the template"
        )
    return Translatable(text, rule=rule, n=count)
