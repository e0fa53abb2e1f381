"""labels.csv: what is read, and how a fault is named."""

from pathlib import Path

import pytest

from clinicnum.annotations.agreement import Rating
from clinicnum.annotations.agreement.labels_csv import read_label_columns
from clinicnum.errors import InputError


def write(folder: Path, text: str) -> Path:
    path = folder / "labels.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_blank_is_missing_none_is_a_label_and_other_columns_are_ignored(tmp_path: Path) -> None:
    path = write(tmp_path, "\ufeffitem,annotator,label,note\ni,a,none,x\ni,b,,y\nj,a,p|q,\n")
    assert read_label_columns(path)[0].ratings() == [
        Rating("i", "a", "none"),
        Rating("i", "b", None),
        Rating("j", "a", "p|q"),
    ]


def test_cluster_and_repeat_columns(tmp_path: Path) -> None:
    path = write(tmp_path, "item,annotator,label,repeat,subject\ni,a,x,,s\ni,a,y,2,s\ni,b,y,true,s\n")
    rows = read_label_columns(path, cluster="subject")[0].ratings()
    assert [(row.repeat, row.cluster) for row in rows] == [(0, "s"), (2, "s"), (1, "s")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("item,label\ni,x\n", r"no column 'annotator'; found item, label; expected", id="column"),
        pytest.param("", r"no column 'item', 'annotator', 'label'; found nothing", id="empty file"),
        pytest.param("item,annotator,label\ni,a\n", r"labels.csv:2: more or fewer cells", id="short row"),
        pytest.param("item,annotator,label\ni,a,x,y\n", r"labels.csv:2: more or fewer cells", id="long row"),
        pytest.param("item,annotator,label\n,a,x\n", r"labels.csv:2: blank item", id="blank item"),
        pytest.param("item,annotator,label,repeat\ni,a,x,-1\n", r"repeat is '-1'", id="repeat"),
        pytest.param('item,annotator,label\n"i,a,x\n', r"not a CSV", id="open quote"),
    ],
)
def test_faults_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_label_columns(write(tmp_path, text))


def test_missing_file_cluster_and_encoding(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_label_columns(tmp_path / "absent.csv")
    with pytest.raises(InputError, match="no column 'subject'"):
        read_label_columns(write(tmp_path, "item,annotator,label\ni,a,x\n"), cluster="subject")
    path = tmp_path / "latin.csv"
    path.write_bytes(b"item,annotator,label\ni,a,\xe9\n")
    with pytest.raises(InputError, match="not UTF-8"):
        read_label_columns(path)
