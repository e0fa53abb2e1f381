"""Lint as a user meets it: exit codes, what it prints, and one line for a file that it cannot read."""

import json
import tracemalloc
from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.lint.lint_file import lint
from clinicnum.scripts.commands.lint import lint as command

HEADER = "question,answer,dataset_source\n"
CONTEXT = (
    "At 2150-01-01 08:00:00, the 60-year-old male reports pain level is 0. His vital sign at the time is "
    "temperature 37.0°C, heart rate 80 bpm, respiratory rate 16 bpm, O2 saturation 98%, blood pressure "
    "120/80 mmHg."
)
ASKED = "What was the heart rate of the patient at 2150-01-01 08:00:00?"


def row(answer: object, question: str = ASKED) -> str:
    return f'"{CONTEXT}\n\n{question}",{answer},direct_retrieval\n'


def csv(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "bench.csv"
    path.write_text(text, encoding="utf-8")
    return path


BAD: dict[str, tuple[bytes, str]] = {
    "an empty file": (b"", "is empty"),
    "blank lines only": (b"\n \n", "is empty"),
    "a binary file": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", ":1: is binary"),
    "bytes that are not UTF-8": (HEADER.encode() + row(80).encode() + b"caf\xe9,1,x\n", ":5: not UTF-8"),
    "a missing column": (b"question,gold,dataset_source\na,b,c\n", ":1: no column 'answer'"),
    "a header only": (HEADER.encode(), "a header without rows"),
    "a row with a cell too few": ((HEADER + row(80) + "a,b\n").encode(), ":5: 2 cells, expected 3"),
    "a quote that never ends": ((HEADER + row(80) + '"a,b,c\n').encode(), ":5: not a readable CSV"),
    "a huge cell": (
        (HEADER + '"' + "x" * 200_000 + '",1,y\n').encode(),
        ":2: not a readable CSV (field larger",
    ),
    "a huge line": (HEADER.encode() + b"x" * 17_000_000, ":2: a line of over"),
    "another benchmark": (
        b"question,answer,dataset_source\nWhy?,42,x\n",
        "none of its 1 rows was understood",
    ),
    "JSON that is no instance": (b'{"question": "Why?"}\n', ":1: not a valid instance"),
    "broken JSON": (b'{"question": \n', ":1: not a valid instance"),
    "an unknown key on the second line": (b'\n{"colour": "red"}\n', ":2: not a valid instance"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_file_that_cannot_be_read_is_one_line_that_names_it(case: str, tmp_path: Path) -> None:
    content, named = BAD[case]
    path = tmp_path / "bench.txt"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(lint(path, ()).said)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert named in message
    assert "\n" not in message


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no such file"):
        lint(tmp_path / "none.csv", ())


def run(capsys: pytest.CaptureFixture[str], path: Path, *, as_json: bool = False) -> tuple[int, str, str]:
    code = command(path, None, as_json)
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_without_findings_the_exit_code_is_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, csv(tmp_path, HEADER + row(80)))
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "1 item, 1 checked, 0 findings"


def test_with_findings_it_is_1_and_each_is_a_line_with_file_line_and_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = csv(tmp_path, HEADER + row(80) + row(81))
    code, out, err = run(capsys, path)
    assert (code, err) == (1, "")
    first, *_, last = out.splitlines()
    assert first.startswith(
        f"{path}:5: row 2: retrieval.heart_rate: wrong_gold: gold says 81; the records give 80"
    )
    assert last == "2 items, 2 checked, 1 finding"


def test_json_is_one_object_with_the_counts_and_the_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = csv(tmp_path, HEADER + row(80) + row(81) + row(80, "Why?") + row(82))
    code, out, _ = run(capsys, path, as_json=True)
    told = json.loads(out)
    assert code == 1
    assert (told["file"], told["kind"]) == (str(path), "clinicnumrobbench")
    assert (told["rows"], told["checked"]) == (4, 3)
    assert told["by_rule"] == {"wrong_gold": 2}
    assert told["not_checked"] == {"question not understood": 1}
    assert [(f["row"], f["line"], f["rule"], f["gold"]) for f in told["findings"]] == [
        (2, 5, "wrong_gold", "81"),
        (4, 11, "wrong_gold", "82"),
    ]
    assert [(i["row"], i["reason"]) for i in told["not_checked_items"]] == [(3, "question not understood")]
    counts = told["by_template"]["retrieval.heart_rate"]
    assert (counts["rows"], counts["checked"], counts["wrong"]) == (3, 3, 2)


def test_a_broken_row_at_the_end_prints_no_half_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = csv(tmp_path, HEADER + row(81) + "a,b\n")
    with pytest.raises(InputError, match=r":5: 2 cells"):
        command(path, None, True)
    assert capsys.readouterr().out == ""


def test_a_bank_is_refused_for_a_csv(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--bank is for JSONL"):
        command(csv(tmp_path, HEADER + row(80)), tmp_path, False)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    def peak(rows: int) -> int:
        path = csv(tmp_path, HEADER + row(81) * rows)
        tracemalloc.start()
        try:
            for _ in lint(path, ()).said:
                pass
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(10)
    assert peak(3_000) < peak(300) + 1_000_000
