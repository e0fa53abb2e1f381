"""Pages are tested on SQLite: they hold no SQL, and `tests/db` runs on both databases what they call.

The files of `ON_BOTH` run on PostgreSQL, too, as they are the only ones to run some queries of theirs.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import own_database

ON_BOTH = {
    "test_agreement_page": "who may lead a study, the texts of its questions",
    "test_annotate_handlers": "an annotator's progress, studies left, the tour",
    "test_benchmarks_generate_tab": "releases and banks that a benchmark is made from",
    "test_benchmarks_import_tab": "counts of variants",
    "test_benchmarks_page": "the last findings of lint",
    "test_draft_page": "templates that a draft is compared with",
    "test_explore_page": "slices of generations, in all the ways that the page asks for them",
    "test_explore_worst": "the worst slices of generations",
    "test_home_page": "the annotators of the sample project",
    "test_item_view": "the item for a component of one's own",
    "test_my_work_page": "what the axes, sentences and criteria are called that were decided",
    "test_people_page": "when somebody was last active",
    "test_review_pages": "how many versions wait for a review",
}
"""Files of this folder whose tests run on both databases, and the queries that no test of `tests/db` runs."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each test that asks for a database the kinds that it runs on."""
    if "database_url" in metafunc.fixturenames:
        both = metafunc.module.__name__.rpartition(".")[2] in ON_BOTH
        metafunc.parametrize("database_url", ["sqlite", *(["postgresql"] if both else [])], indirect=True)


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database of the test's own, as the fixture of the same name for all tests."""
    yield from own_database(request, tmp_path)
