"""The page, the command, the report and the bundle rest on one consensus: decisions, or the one asked for."""

import csv
import io
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.report_content import Table
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.errors import InputError
from clinicnum.scripts.cli import run_command
from clinicnum.ui.components.report_table_rows import report_columns, report_rows
from clinicnum.ui.pages.agreement.page import AgreementHandlers
from tests.db.adjudicating import differing, next_of, own
from tests.db.test_annotate import FINE
from tests.ui.test_agreement_page import tables

SOMEBODY: Any = SimpleNamespace(username="nobody")


@pytest.fixture
def decided(engine: Engine) -> Engine:
    """Three annotators differ on four items; the adjudicator accepts the first two answers that wait."""
    people = differing(engine, wrong=4)
    for _ in range(2):
        own(engine, people["ada"], next_of(engine, people["ada"]), FINE)
    return engine


def of_report(engine: Engine, consensus: str | None) -> dict[str, Table]:
    with reading(engine) as session:
        tables = load_study_tables(session, "six").model_copy(update={"consensus": consensus})
    built = build_report(tables, generated_by="test")
    return {table.id: table for section in built.sections for table in section.tables}


def labelled(table: Table) -> dict[tuple[Any, Any], Any]:
    return {(row[0], row[1]): row[2] for row in table.rows}


def test_decisions_overturn_the_majority_and_the_page_shows_the_reports_tables(decided: Engine) -> None:
    handlers = AgreementHandlers(Store(decided))
    for asked_for, consensus in ((None, None), ("", None), ("majority", "majority")):
        found = of_report(decided, consensus)
        counted, differing = (found[name] for name in ("consensus_settled", "consensus_differs"))
        shown = tables(handlers.consensus("six", asked_for, SOMEBODY))
        assert shown[0][2] == report_rows(counted)
        assert shown[0][1][2:] == [
            one.replace("Generations", "Answers") for one in report_columns(counted)[2:]
        ]
        assert [row[1:] for row in shown[1][2]] == [row[1:] for row in report_rows(differing)]
        assert shown[1][1] == ["Question asked", *report_columns(differing)[1:]]
        assert all(row[0].endswith("?") for row in shown[1][2]), "an answer is named by its question"
        ids = {row[0] for row in report_rows(differing)}
        assert not any(one in str(shown) for one in ("enerations", *ids))
        assert "4 answers to " in shown[0][3]
        assert f"{len(ids)} of 4 answers" in shown[1][3]
    by_decision = labelled(of_report(decided, None)["consensus_settled"])
    by_majority = labelled(of_report(decided, "majority")["consensus_settled"])
    assert by_decision["response", "acceptable"] == 2
    assert by_majority["response", "acceptable"] == 0
    assert by_majority["response", "failure"] == 4


@pytest.mark.parametrize("asked_for", ["dice", 3, ["majority"]])
def test_a_consensus_that_there_is_none_of_is_refused(decided: Engine, asked_for: Any) -> None:
    with pytest.raises(InputError, match=r"expected (one of )?unanimous"):
        AgreementHandlers(Store(decided)).consensus("six", asked_for, SOMEBODY)


@pytest.mark.parametrize("consensus", [None, "majority", "dawid_skene"])
def test_commands_write_the_same_figures_and_the_bundle_verifies(
    decided: Engine, tmp_path: Path, consensus: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    url = decided.url.render_as_string(hide_password=False)
    asked_for = [] if consensus is None else ["--consensus", consensus]
    common = ["--study", "six", "--db", url, *asked_for]
    bundle = tmp_path / "six.zip"
    assert run_command(["report", *common, "--out", str(tmp_path / "report")]) == 0
    assert run_command(["export", *common, "--out", str(tmp_path / "rows"), "--bundle", str(bundle)]) == 0
    assert run_command(["verify", str(bundle)]) == 0
    expected = of_report(decided, consensus)["consensus_settled"]
    with zipfile.ZipFile(bundle) as packed:
        texts = [name for name in packed.namelist() if not name.endswith(".pdf")]
        held = {name: packed.read(name).decode() for name in texts}
    for text in (
        (tmp_path / "report" / "consensus_settled.csv").read_text(),
        held["report/consensus_settled.csv"],
    ):
        rows = list(csv.DictReader(io.StringIO(text)))
        assert {(row["what"], row["consensus"]): int(row["n"]) for row in rows} == labelled(expected)
    assert (tmp_path / "rows" / "consensus.csv").read_text() == held["report/consensus.csv"]


def test_a_consensus_that_does_not_exist_is_one_line(
    decided: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = decided.url.render_as_string(hide_password=False)
    wrong = ["report", "--study", "six", "--db", url, "--out", str(tmp_path / "r"), "--consensus", "dice"]
    assert run_command(wrong) == 2
    assert "expected unanimous, majority, three_expert, dawid_skene" in capsys.readouterr().err
