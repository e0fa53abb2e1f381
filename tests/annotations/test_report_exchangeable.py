"""What a report says where Dawid and Skene's model has classes without a settled name."""

import pytest

from clinicnum.annotations.exports.data_files import csv_files
from clinicnum.annotations.judgement import ItemJudgement
from clinicnum.annotations.report.report_content import Report
from clinicnum.annotations.report.study_tables import StudyTables
from tests.annotations.report_example import study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_dawid_skene_exchangeable import RARE

WORDS: dict[str, ItemJudgement] = {"v": "valid", "a": "ambiguous", "g": "gold_wrong"}
SAID = [row for row, n in RARE.items() for _ in range(n)]


def rare_items() -> StudyTables:
    """130 generations whose items are called valid, or by single annotators ambiguous or gold wrong."""
    tables = study(simulated=False, patients=180)
    drawn = tables.inclusions[: len(SAID)]
    place = {one.generation_id: at for at, one in enumerate(drawn)}
    assert len(place) == len(SAID)
    annotations = tuple(
        one.model_copy(update={"item_judgement": WORDS[word], "proposed_gold": "1" if word == "g" else None})
        for n, one in enumerate(tables.annotations)
        if one.generation_id in place
        for word in SAID[place[one.generation_id]][n % 3]
    )
    return tables.model_copy(update={"inclusions": drawn, "annotations": annotations, "contests": ()})


@pytest.fixture(scope="module")
def report() -> Report:
    return report_of(rare_items())


def test_it_is_said_in_a_sentence(report: Report) -> None:
    said = "Item: the labels do not tell gold wrong from ambiguous in Dawid and Skene's model"
    assert said in paragraphs(report, "protocols")
    checks = table_of(report, "dawid_skene_checks")
    (row,) = [row for row in checks.rows if checks.cell(row, "question") == "Item"]
    assert "gold wrong and ambiguous may be exchanged" in str(row[-1])
    assert "withheld" in str(row[-1])


def test_no_generation_is_given_either_label(report: Report) -> None:
    for name in ("dawid_skene_differs", "dawid_skene_uncertain"):
        table = table_of(report, name)
        labels = {str(cell) for row in table.rows if row[0] == "Item" for cell in row[2:]}
        assert not labels & {"ambiguous", "gold wrong"}
    protocols = table_of(report, "consensus_protocols")
    (row,) = [row for row in protocols.rows if row[:2] == ("Item", "Dawid and Skene")]
    assert protocols.cell(row, "differs") == 0


def test_shares_of_the_two_stand_together_only(report: Report) -> None:
    shares = table_of(report, "dawid_skene_shares")
    found = {str(row[1]): row[2:] for row in shares.rows if row[0] == "Item"}
    assert found["gold wrong"][2] is None
    assert found["ambiguous"][2] is None
    n, _, together = found["gold wrong or ambiguous"]
    assert n == 26
    assert together == pytest.approx(0.1428, abs=1e-3)
    assert sum(float(str(found[one][2])) for one in ("valid", "gold wrong or ambiguous")) == pytest.approx(1)


def test_consensus_csv_leaves_them_blank() -> None:
    tables = rare_items().model_copy(update={"consensus": "dawid_skene"})
    lines = csv_files(tables)["consensus.csv"].splitlines()
    place = lines[0].split(",").index("item")
    assert {line.split(",")[place] for line in lines[1:]} == {"valid", ""}
