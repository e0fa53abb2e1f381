"""All tables that need scores only, in their order."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from clinicnum.robustness.run_answers_and_pairs import Run
from clinicnum.tables.accuracy_tables import by_dimension, by_factor, by_steps, by_template
from clinicnum.tables.attacks import broken_by_any, by_axis
from clinicnum.tables.error_magnitude import by_size_of_error
from clinicnum.tables.paper_table import PaperTable
from clinicnum.tables.personas import by_persona
from clinicnum.tables.reasoning_effort import by_effort
from clinicnum.tables.subgroups import by_subgroup


def paper_tables(
    runs: Sequence[Run], *, margins: Mapping[str, Decimal] | None = None
) -> tuple[PaperTable, ...]:
    """Every table of runs on one benchmark; one that cannot be made has no rows and says why.

    `margins`: unit -> the largest error without clinical consequence, added to or replacing the defaults of
    `clinicnum.tables.error_magnitude`.
    """
    return (
        by_factor(runs),
        by_steps(runs),
        by_template(runs),
        by_dimension(runs),
        by_size_of_error(runs, margins),
        by_effort(runs),
        by_subgroup(runs),
        broken_by_any(runs),
        by_axis(runs),
        by_persona(runs),
    )
