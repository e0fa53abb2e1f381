"""Tables that papers on clinical language models print, from scored runs: `paper_tables(runs)`.

Each is defined in a module of its own; `docs/tables.md` says what each estimates and how often its intervals
hold the truth. Those that need labels by people are made in the report of a study, from the same parts
(`severe_errors`).
"""

from clinicnum.tables.every_table import paper_tables
from clinicnum.tables.paper_table import Measure, PaperTable, Row

__all__ = ["Measure", "PaperTable", "Row", "paper_tables"]
