"""The result of a soak test as text."""

from clinicnum.scripts.dev.load_test.parallel_annotators import milliseconds
from clinicnum.scripts.dev.load_test.soak_test import Outcome


def summary(outcome: Outcome) -> str:
    """The figures of a soak test as text."""
    lines = [
        f"{len(outcome.asked):,} actions in {outcome.seconds:,.0f} s, {outcome.acknowledged:,} labels "
        f"acknowledged, {outcome.checks[-1].labels:,} in the database",
        f"{len(outcome.kills)} kills: "
        + ", ".join(f"{one.what} (back in {one.back - one.at:.1f} s)" for one in outcome.kills),
        f"sent again: {sum(one.sent > 1 for one in outcome.asked):,} actions; longest wait "
        f"{max(outcome.waits(), default=0):.1f} s",
        f"checks: {len(outcome.checks)}, with a fault: {sum(bool(one.faults) for one in outcome.checks)}; "
        f"the last: {outcome.checks[-1].faults}",
    ]
    for title, quiet in (("no process down", True), ("all", False)):
        for step in ("load", "save", "submit"):
            waits = outcome.waits(step, quiet=quiet)
            spread = (f"p{100 * share:.0f} {milliseconds(waits, share)}" for share in (0.5, 0.95, 0.99))
            lines.append(f"{title:<16}{step:<7}{len(waits):>8,}  {'  '.join(spread)}")
    return "\n".join(lines)
