"""Begin a draft from the chosen row of the list: a template, its next version, or an item of a benchmark."""

from collections.abc import Sequence

from clinicnum.annotations.curation.failure_clusters import Clustering
from clinicnum.annotations.curation.labelled_failure import Failure
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.drafts import from_failure, item_from_failure
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.ui.pages.failures.drafts_made import Begun
from clinicnum.ui.pages.failures.event_inputs import ChosenRow

GONE = Translatable("that is not among the failures any more; load the page again")


def begin_draft(
    store: Store,
    chosen: ChosenRow,
    known: Sequence[Failure],
    clustering: Clustering,
    *,
    actor: str,
    of: Begun,
) -> str:
    """Begin the draft; returns its address. Raises InputError for a row that is gone, and as `from_failure`
    and `item_from_failure` do.
    """
    if chosen.kind == "contests":
        with store.writing() as session:
            if of == "item":
                draft = item_from_failure.begin_item_from_contest(session, actor=actor, contest=chosen.key)
            else:
                draft = from_failure.begin_from_contest(
                    session, actor=actor, contest=chosen.key, next_version=of == "version"
                )
        return _address(draft, of)
    if chosen.kind == "clusters":
        found = [one.members for one in clustering.clusters if one.cluster_id == chosen.key]
    else:
        found = [(one,) for one in known if one.key == chosen.key]
    if not found:
        raise InputError(GONE)
    with store.writing() as session:
        if of == "item":
            draft = item_from_failure.begin_item(session, actor=actor, failures=found[0])
        else:
            draft = from_failure.begin_from_failures(
                session, actor=actor, failures=found[0], next_version=of == "version"
            )
    return _address(draft, of)


def _address(draft: str, of: Begun) -> str:
    return f"/{'item-draft' if of == 'item' else 'draft'}/?draft={draft}"
