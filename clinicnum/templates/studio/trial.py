"""A template tried on sample patients: whether its questions hold every validity rule, and how they look.

Questions come the generator's own way (`clinicnum.walk`, `clinicnum.questions`), which checks each against
every rule in every representation. A trial then has each instance examined anew from its text alone, as
`clinicnum lint` does. Faults that only a sample shows are named in `sampled`.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from clinicnum.group import Group
from clinicnum.lint.finding import Finding, Place
from clinicnum.lint.own import examine
from clinicnum.lint.own_bank import OwnBank
from clinicnum.lint.own_item import OwnItem
from clinicnum.questions import Asked, Question
from clinicnum.templates.example import check_example
from clinicnum.templates.studio.faults import Fault
from clinicnum.templates.studio.outcomes import Outcomes
from clinicnum.templates.studio.sampled import GivenAway, sampled_faults
from clinicnum.templates.template import Template
from clinicnum.types import REPRESENTATIONS, Frozen, Instance, RepresentationName
from clinicnum.walk import at_most_half_flagged

PREVIEW_TRIED, PREVIEW_LIMIT, PREVIEW_BLOCKS = 40, 2_000, 4
"""Candidates that a preview tries at least, to know what is rejected; at most; and of how many patients."""
BENCHMARK = "studio"


class Trial(Frozen):
    """What a sample of a template's questions comes to."""

    asked: int
    """Candidates of which the question could be asked: valid or rejected."""
    not_asked: int
    """Candidates on which what the template requires does not hold."""
    taken: int
    """Questions taken, each an instance in every representation."""
    by_representation: dict[RepresentationName, int]
    """Instances that the examiner found nothing wrong with."""
    rejected: dict[str, int]
    """Candidates dropped, by rule."""
    broken: dict[str, int]
    """What the examiner found, by rule."""
    flagged: int
    """Of those taken, with a V7 flag: at most half."""
    faults: tuple[Fault, ...]
    holds: bool
    """The whole sample was taken, every validity rule holds on every instance, and there is no fault."""


class PreviewExample(Frozen):
    """One question with all that an instance carries, in every representation."""

    instances: tuple[Instance, ...]


class Preview(Frozen):
    """A template at a glance."""

    examples: tuple[PreviewExample, ...]
    rejected: dict[str, int]
    """Candidates dropped on the way to them, by rule."""
    faults: tuple[Fault, ...]


def try_template(template: Template, *, sample: int = 200, seed: int = 0) -> Trial:
    """Take `sample` questions on synthetic patients and have each instance examined."""
    asked = Asked.of(template)
    outcomes, given, bank = Outcomes(asked, seed), GivenAway(template), OwnBank([template])
    clean: Counter[RepresentationName] = Counter({name: 0 for name in REPRESENTATIONS})
    broken: Counter[str] = Counter()
    taken = flagged = 0
    for question in islice(at_most_half_flagged(outcomes.questions()), sample):
        given.add(question)
        for instance in _instances(question, taken):
            found = list(_findings(instance, bank))
            broken.update(found)
            clean[instance.representation] += not found
        taken += 1
        flagged += not question.discriminates
    faults = (
        *_example_faults(template),
        *sampled_faults(outcomes, taken, sample, given),
        *(Fault(rule="validity", path=(), message=_broken(rule, n)) for rule, n in sorted(broken.items())),
    )
    return Trial(
        asked=outcomes.tried - outcomes.not_asked,
        not_asked=outcomes.not_asked,
        taken=taken,
        by_representation=dict(clean),
        rejected=dict(sorted(outcomes.rejected.items())),
        broken=dict(sorted(broken.items())),
        flagged=flagged,
        faults=faults,
        holds=not faults,
    )


def preview(template: Template, *, count: int = 3, seed: int = 0) -> Preview:
    """Up to `count` example questions on synthetic patients, one of each wording in turn.

    Those that discriminate come first.
    """
    outcomes = Outcomes(Asked.of(template), seed, blocks=PREVIEW_BLOCKS, limit=PREVIEW_LIMIT)
    given, telling, flagged = GivenAway(template), list[Question](), list[Question]()
    for question in outcomes.questions():
        given.add(question)
        kept = telling if question.discriminates else flagged
        if len(kept) < count:
            kept.append(question)
        if len(telling) >= count and outcomes.tried >= PREVIEW_TRIED:
            break
    shown = [*telling, *flagged][:count]
    examples = [PreviewExample(instances=tuple(_instances(q, i))) for i, q in enumerate(shown)]
    faults = (*_example_faults(template), *sampled_faults(outcomes, len(telling), 0, given))
    rejected = dict(sorted(outcomes.rejected.items()))
    return Preview(examples=tuple(examples), rejected=rejected, faults=faults)


def _instances(question: Question, turn: int) -> list[Instance]:
    wording = turn % len(question.asked.template.wording)
    scope = "stay" if len({record.stay_id for record in question.shown.records}) == 1 else "subject"
    return Group(question, wording, REPRESENTATIONS, BENCHMARK, scope).instances()


def _findings(instance: Instance, bank: OwnBank) -> Iterator[str]:
    examined = examine(OwnItem(Place(1, 1), instance), bank, framed=False)
    yield from (said.rule for said in examined.said if isinstance(said, Finding))
    if not examined.checked:
        yield "not_checked"


def _example_faults(template: Template) -> Iterator[Fault]:
    wrong = check_example(template)
    if wrong is not None:
        yield Fault(rule="example", path=("example",), message=f"the example {wrong}")


def _broken(rule: str, count: int) -> str:
    of = f"{count} sampled instance{'' if count == 1 else 's'}"
    return f"{rule} does not hold on {of}, as the examiner of clinicnum lint found; correct the template"
