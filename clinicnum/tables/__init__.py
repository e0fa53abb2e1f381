"""Tables that papers on clinical language models print, from scored runs: `paper_tables(runs)`.

Each table has a module of its own; `docs/tables.md` says what each estimates and the coverage of its
intervals. Tables that need human labels are made in the report of a study, from the same parts
(`severe_errors`).
"""

from clinicnum.tables.all_tables import paper_tables
from clinicnum.tables.paper_table import Measure, PaperTable, Row

__all__ = ["Measure", "PaperTable", "Row", "paper_tables"]
