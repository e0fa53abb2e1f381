"""Replies of the annotate page to its script. No Gradio."""

from clinicnum.annotations.work_item import Workitem
from clinicnum.db.work.annotation.annotator_progress import OwnProgress
from clinicnum.db.work.annotation.own_studies import LeftStudy
from clinicnum.ui.components.language import _
from clinicnum.ui.components.page_action import Reply
from clinicnum.ui.pages.annotate.studies_view import passed_on_text, studies_view
from clinicnum.ui.pages.annotate.view import assignment_view, nothing_left_text


def plain_reply(kind: str, item: Workitem | None, message: str | None = None) -> Reply:
    """A reply of this `kind` with the item as the page shows it, and a message."""
    return {"kind": kind, "message": message, "item": None if item is None else assignment_view(item)}


def next_reply(found: Workitem | OwnProgress, left: LeftStudy | None = None) -> Reply:
    """The next item, or that none is left; if it is of another study than the last one (`left`), a message
    that this study is done comes first.
    """
    if isinstance(found, Workitem):
        if left is None:
            return plain_reply("item", found)
        return {**plain_reply("done", None, passed_on_text(left, found)), "next_study": found.study_name}
    return {
        **plain_reply("done", None, nothing_left_text(found)),
        "studies": studies_view(found.studies),
        "first_aside": found.first_skipped,
        "may_go_back": bool(found.studies or found.paused or found.closed),
    }


def closed_reply(said: str, current: Reply) -> Reply:
    """The reply that the study on the page was closed (`said`), with what is left: `current`, of another
    study.
    """
    if current["item"] is None:
        return {**current, "kind": "closed", "message": f"{said} {current['message']}"}
    study = current["item"]["study"]
    following = _("Your next item is of the study “{study}”.", study=study)
    return {**plain_reply("closed", None, f"{said} {following}"), "next_study": study}


def with_refusal(reply: Reply, refused: str) -> Reply:
    """The reply, whose message now first says why the address could not be followed (`refused`), then what is
    shown instead: the study that the item is of, or the reply's own message if it has no item.
    """
    if reply["item"] is None:
        return {**reply, "message": f"{refused} {reply['message']}"}
    shown = _("This item is of the study “{study}”.", study=reply["item"]["study"])
    return {**reply, "message": f"{refused} {shown}"}
