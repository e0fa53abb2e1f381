"""The automatic checks in a round of review: a template's trial on sample patients, or those of an item."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from sqlmodel import Session

from clinicnum.annotations.curation.drafted_item import ItemVersion
from clinicnum.annotations.curation.item_draft_checks import ItemCheck
from clinicnum.annotations.curation.reviewed_version import read_version
from clinicnum.annotations.curation.template_trial_cache import cached_trial
from clinicnum.authoring.template_trial import Trial
from clinicnum.db.work.benchmarks.item_versions import check_item_version
from clinicnum.db.work.review.review_queries import find_round


def checks_of_round(
    reading: Callable[[], AbstractContextManager[Session]], round_id: str
) -> Trial | ItemCheck:
    """The checks of a round's template or item; a trial runs outside the session, since it takes a while.

    `reading` opens a session. Raises InputError if there is no such round.
    """
    with reading() as session:
        row = find_round(session, round_id)
        version = read_version(row.payload)
        if isinstance(version, ItemVersion):
            return check_item_version(session, row.template_id, version)
    return cached_trial(version)
