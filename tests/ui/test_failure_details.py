"""What the failures page says of one failure."""

import pytest

from clinicnum.ui.pages.failures.view import failure_details
from tests.annotations.test_curation_clusters import failure


@pytest.mark.parametrize(
    ("simulated", "said"),
    [
        (False, "decided by an adjudicator"),
        (True, "decided by an adjudicator; simulated annotators are among those who judged it"),
    ],
)
def test_one_cause_decided_by_one_adjudicator_is_told_as_one(simulated: bool, said: str) -> None:
    one = failure(1, "41").model_copy(update={"basis": "adjudicated", "simulated": simulated})
    (example,) = failure_details(one, {}, str).examples
    assert example[-1] == said
