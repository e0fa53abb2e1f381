"""No count below the limit is in a suppressed report, and an attacker who adds and subtracts learns none."""

import io
import itertools
import random
import zipfile
from collections.abc import Iterator

import pytest

from clinicnum.annotations.exports.report_files import report_files, report_workbook
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.report_content import Cell, Column, Report, Table
from clinicnum.annotations.report.suppress_small_counts import WITHHELD, suppressed
from clinicnum.annotations.report.suppressed_cells import is_count, withheld_cells
from clinicnum.errors import InputError
from tests.annotations.report_example_whole import whole_study


@pytest.fixture(scope="module")
def whole() -> Report:
    return build_report(whole_study(), generated_by="test")


def tables_of(report: Report) -> dict[str, Table]:
    return {table.id: table for section in report.sections for table in section.tables}


def counts(table: Table) -> list[int]:
    return [at for at, column in enumerate(table.columns) if is_count(column)]


@pytest.mark.parametrize("below", [3, 5, 11, 1000])
def test_no_small_count_stands_in_any_table_and_none_can_be_worked_out(whole: Report, below: int) -> None:
    before, after = tables_of(whole), tables_of(suppressed(whole, below))
    assert {"accuracy", "score_statuses", "taxonomy_by_operation_annotators"} <= after.keys()
    for name, table in after.items():
        if name == "planner":  # of studies that are not there yet
            continue
        for at in counts(table):
            assert all(
                row[at] is None or isinstance(row[at], str) or not 0 < row[at] < below for row in table.rows
            )
        learned = {place: value for place, value in attack(table).items() if 0 < value < below}
        assert not learned, (name, learned, [before[name].rows[row] for row, _ in learned])


def test_a_report_without_small_counts_keeps_its_figures(whole: Report) -> None:
    before, after = tables_of(whole), tables_of(suppressed(whole, 3))
    kept = "taxonomy_by_representation_annotators"
    assert after[kept].rows == before[kept].rows
    assert any("<3" in row for table in after.values() for row in table.rows)


def test_every_form_says_it_once_and_tells_no_figure_in_words(whole: Report) -> None:
    made = suppressed(whole, 5)
    files = report_files(made)
    for name in ("report.html", "report.md", "report.json", "tables.tex"):
        assert files[name].count("small cells") == 1, name
    for text in (*(one.note for one in tables_of(made).values()), *itertools.chain(*paragraphs(made))):
        assert not any(letter.isdigit() for letter in text), text
    assert made.key_figures == ()
    assert not any(section.examples or section.gaps for section in made.sections)
    assert ",<5," in files["accuracy.csv"]
    assert r"\textless{}5" in files["accuracy.tex"]
    assert "&lt;5" in files["report.html"]
    book = zipfile.ZipFile(io.BytesIO(report_workbook(made)))
    assert any(
        b"&lt;5" in book.read(name) for name in book.namelist() if "sheet" in name or "Strings" in name
    )
    singles = {"examples", "contests", "grras", "provenance", "unsaid"}
    assert not singles & {
        *tables_of(made),
        *(section.id for section in made.sections if section.id not in ("provenance", "contests")),
    }
    for content in files.values():
        text = content.decode("latin-1") if isinstance(content, bytes) else content
        assert "i00-structured" not in text


def paragraphs(report: Report) -> Iterator[tuple[str, ...]]:
    return (section.paragraphs for section in report.sections)


def test_a_limit_that_would_tell_the_count_is_refused(whole: Report) -> None:
    with pytest.raises(InputError, match="expected 3 or more"):
        suppressed(whole, 2)


def crossed(seed: int, size: tuple[int, int], most: int) -> Table:
    """Counts by two keys, with their sums, in random cells."""
    drawn = random.Random(seed)
    cells = {
        (a, b): drawn.choice([0, drawn.randint(1, most)]) for a in range(size[0]) for b in range(size[1])
    }
    rows: list[tuple[Cell, ...]] = []
    for a in (*range(size[0]), "all"):
        for b in (*range(size[1]), "all"):
            n = sum(value for (x, y), value in cells.items() if a in (x, "all") and b in (y, "all"))
            right = sum(value // 2 for (x, y), value in cells.items() if a in (x, "all") and b in (y, "all"))
            rows.append((f"{a}", f"{b}", n, right / n if n else None))
    columns = (
        Column(key="a", label="a"),
        Column(key="b", label="b"),
        Column(key="n", label="n", kind="count"),
        Column(key="right", label="right", kind="share"),
    )
    return Table(id="t", caption="t", note="", trace="", columns=columns, rows=tuple(rows))


@pytest.mark.parametrize("seed", range(60))
def test_random_tables_with_sums_in_both_directions_withstand_the_attack(seed: int) -> None:
    table = crossed(seed, (2 + seed % 4, 2 + seed % 3), most=(8, 30, 200)[seed % 3])
    gone = withheld_cells(table, 5)
    rows = tuple(
        tuple(WITHHELD if (at, column) in gone else cell for column, cell in enumerate(row))
        for at, row in enumerate(table.rows)
    )
    shown = table.model_copy(update={"rows": rows})
    learned = {place: value for place, value in attack(shown).items() if 0 < value < 5}
    assert not learned


def attack(table: Table) -> dict[tuple[int, int], int]:
    """What somebody works out: every sum of rows with one unknown, and every share of a known count."""
    known: dict[tuple[int, int], int] = {}
    of = counts(table)
    for at, row in enumerate(table.rows):
        for column in of:
            if isinstance(row[column], (int, float)):
                known[at, column] = round(float(str(row[column])))
    shares = [at for at, column in enumerate(table.columns) if column.kind == "share"]
    for (at, column), n in list(known.items()):
        for share in shares:
            part = table.rows[at][share]
            if isinstance(part, float) and abs(part * n - round(part * n)) < 1e-6:
                known[at, 1000 + share * 10 + column] = round(part * n)
                known[at, 2000 + share * 10 + column] = n - round(part * n)
    told = {column for _, column in known}
    while any([_learn(known, parts, total, column) for parts, total in _sums(table) for column in told]):
        pass
    return {place: value for place, value in known.items() if not _shown(table, place)}


def _shown(table: Table, place: tuple[int, int]) -> bool:
    at, column = place
    return column < 1000 and not isinstance(table.rows[at][column], str)


def _learn(known: dict[tuple[int, int], int], parts: list[int], total: int, column: int) -> bool:
    unknown = [at for at in (*parts, total) if (at, column) not in known]
    if len(unknown) != 1:
        return False
    rest = sum(known[at, column] for at in parts if at != unknown[0])
    known[unknown[0], column] = rest if unknown[0] == total else known[total, column] - rest
    return True


def _sums(table: Table) -> Iterator[tuple[list[int], int]]:
    keys = [at for at, column in enumerate(table.columns) if column.kind in ("text", "code")]
    for total, row in enumerate(table.rows):
        for free in (key for key in keys if row[key] == "all"):
            alike = [
                at
                for at, other in enumerate(table.rows)
                if at != total and all(other[key] == row[key] for key in keys if key != free)
            ]
            if alike:
                yield alike, total
