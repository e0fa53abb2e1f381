"""The findings of a lint as one object that can be stored."""

from pydantic import Field

from clinicnum.lint.lint_results import Examination, Finding, Verdict, verdict
from clinicnum.types import Frozen

MOST = 1_000
"""Most findings that are kept; all are counted."""


class LintFinding(Frozen):
    """One rule that an instance breaks."""

    instance_id: str | None
    template_id: str
    rule: str
    verdict: Verdict
    message: str
    gold: str | None = None
    records_give: str | None = None


class LintFindings(Frozen):
    """The result of linting a whole benchmark."""

    instances: int
    checked: int
    """Instances whose gold was computed again."""
    by_rule: dict[str, int] = Field(default_factory=dict)
    not_checked: dict[str, int] = Field(default_factory=dict)
    """Reason -> instances."""
    findings: tuple[LintFinding, ...] = ()
    """The first of them."""


def collect_findings(examination: Examination, most: int = MOST) -> LintFindings:
    """Consume the examination; at most `most` findings are kept whole, all are counted.

    Raises InputError for an unreadable file.
    """
    found: list[LintFinding] = []
    for said in examination.said:
        if isinstance(said, Finding) and len(found) < most:
            found.append(_finding(said))
    tally = examination.tally
    return LintFindings(
        instances=tally.rows,
        checked=tally.checked,
        by_rule=dict(sorted(tally.by_rule.items())),
        not_checked=dict(sorted(tally.not_checked.items())),
        findings=tuple(found),
    )


def _finding(said: Finding) -> LintFinding:
    return LintFinding(
        instance_id=said.instance_id,
        template_id=said.template,
        rule=said.rule,
        verdict=verdict(said.rule),
        message=said.message,
        gold=said.gold,
        records_give=said.records_give,
    )
