"""Every reader on spoilt files: it reads them or refuses them in one line, and raises nothing else."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.judging import Case, lay_out, read, try_case, try_text
from tests.fuzz.mutations import KINDS, Mutation
from tests.fuzz.readers import READERS, Reader
from tests.fuzz.texts import TEXTS, Text

_NUMBERS = st.integers(0, 2**24)
_MUTATIONS = st.builds(
    Mutation, kind=st.sampled_from(sorted(KINDS)), at=_NUMBERS, size=_NUMBERS, what=_NUMBERS
)
CASES = st.builds(Case, file=_NUMBERS, mutations=st.lists(_MUTATIONS, min_size=1, max_size=3).map(tuple))


@pytest.mark.parametrize("reader", READERS, ids=lambda one: one.name)
def test_the_valid_file_is_read(reader: Reader, tmp_path: Path) -> None:
    lay_out(reader, tmp_path)
    assert read(reader, tmp_path) == "read"


@pytest.mark.parametrize("reader", READERS, ids=lambda one: one.name)
def test_a_spoilt_file_is_read_or_refused_in_one_line(
    reader: Reader, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("spoilt")
    lay_out(reader, folder)

    @settings(
        max_examples=reader.examples, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(case=CASES)
    def spoil(case: Case) -> None:
        try_case(reader, folder, case)

    spoil()


@pytest.mark.parametrize("text", TEXTS, ids=lambda one: one.name)
def test_a_text_is_read_or_refused_in_one_line(text: Text) -> None:
    @settings(
        max_examples=text.examples, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(case=CASES)
    def spoil(case: Case) -> None:
        try_text(text, case)

    spoil()
