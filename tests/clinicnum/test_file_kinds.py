"""A file that holds no table as text is called what it is, whichever way it is read."""

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.imports.answer_format_detection import find_answer_format
from clinicnum.imports.import_generations import Answers
from clinicnum.imports.item_preview import find_format
from clinicnum.io.text_lines import no_progress, text_lines


def zipped(*members: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for member in members:
            archive.writestr(member, "x")
    return made.getvalue()


OTHERS = {
    "a PDF": b"%PDF-1.7\n1 0 obj\n",
    "a web page": b"\xef\xbb\xbf\n<!DOCTYPE HTML>\n<html><body>id,text</body></html>",
    "an Excel file": zipped("[Content_Types].xml", "xl/workbook.xml"),
    "a Word file": zipped("[Content_Types].xml", "word/document.xml"),
    "a PowerPoint file": zipped("[Content_Types].xml", "ppt/presentation.xml"),
    "a LibreOffice file": zipped("mimetype", "content.xml"),
    "an Excel or Word file": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "a zip archive": zipped("answers.csv"),
    "a compressed file": gzip.compress(b"instance_id,text"),
    "a picture": b"\xff\xd8\xff\xe0\0\x10JFIF",
}


@pytest.mark.parametrize("what", OTHERS)
def test_a_file_that_is_no_table_is_called_what_it_is(what: str, tmp_path: Path) -> None:
    path = tmp_path / "given.csv"
    path.write_bytes(OTHERS[what])
    do = "unpack it" if what in ("a zip archive", "a compressed file") else "save the table so"
    said = f"given.csv is {what}; expected a table as CSV or JSON Lines; {do}"

    def answers() -> list[object]:
        found = Answers(
            path, find_answer_format(path), known={}, benchmark_sha256="0", model_name="m", options={}
        )
        return list(found.read(no_progress))

    for read in (lambda: list(text_lines(path)), answers, lambda: find_format(path)):
        with pytest.raises(InputError) as refused:
            read()
        assert said in str(refused.value)


def test_a_table_that_speaks_of_such_files_is_read(tmp_path: Path) -> None:
    path = tmp_path / "given.csv"
    path.write_text("id,text\n1,%PDF <html> PK\n")
    assert len(list(text_lines(path))) == 2
