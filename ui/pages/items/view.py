"""The items of a study as rows of text, and the texts around them. No Gradio, no database."""

from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import Any

from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.types import StudyStatus
from clinicnum.db.work.studies.item_query import Order, State
from clinicnum.db.work.studies.study_items import PAGE, ItemDetails, ItemLine, ItemList, ItemRevision
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.html import MISSING, note, record_table, table
from clinicnum.ui.components.judgement_form_data import MINUTE_FORMAT
from clinicnum.ui.components.judgement_wording import judgement_words
from clinicnum.ui.components.language import _
from clinicnum.ui.components.markdown_links import bullets, link
from clinicnum.ui.components.revision_change_wording import change_words
from clinicnum.ui.components.value_display_names import REPRESENTATION_NAMES, study_label

Choices = list[tuple[str, str]]
LONGEST_QUESTION = 300
NO_STUDY = Translatable(
    "Here a study's lead follows its items one by one. There is no study whose items you may see. Open "
    "one on the page Studies."
)
ABOUT = Translatable(
    "Labels are shown here as on the page Changes: to the study's lead, who never labels, also while the "
    "study is open. Models stay masked as long as the study masks them, and a search then leaves out texts "
    "in which a model names itself."
)
CHOOSE = Translatable("Those of the page of the list that is shown.")
STATES: dict[State, str] = {
    "not_begun": Translatable("not begun"),
    "in_work": Translatable("in work"),
    "partly": Translatable("partly judged"),
    "judged": Translatable("judged by all"),
    "skipped": Translatable("skipped"),
    "flagged": Translatable("flagged"),
    "due": Translatable("waits for an adjudicator"),
    "decided": Translatable("decided"),
}
ORDERS: dict[Order, str] = {
    "position": Translatable("order of the study"),
    "template": Translatable("template"),
    "judged": Translatable("most judged first"),
    "disputed": Translatable("most disputed first"),
}
STATUSES = {
    "open": Translatable("in work"),
    "submitted": Translatable("submitted"),
    "skipped": Translatable("skipped"),
    "released": Translatable("put back"),
}
ROUNDS = {
    "training": Translatable("training"),
    "control": Translatable("control"),
    "repeat": Translatable("repeat"),
}
COLUMNS = (
    Translatable("Item"),
    Translatable("Question"),
    Translatable("Template"),
    Translatable("Representation"),
    Translatable("State"),
    Translatable("Annotators"),
    Translatable("Labels differ"),
    Translatable("ID"),
)
WIDTHS: list[str | int] = ["80px", "280px", "160px", "145px", "160px", "215px", "125px", "170px"]
REVISIONS = (
    Translatable("Annotator"),
    Translatable("Revision"),
    Translatable("When, UTC"),
    Translatable("What"),
    Translatable("Judgement"),
    Translatable("Changed since the revision before"),
)
REVISION_WIDTHS: list[str | int] = ["130px", "85px", "150px", "140px", "340px", "340px"]


def no_such_study(name: str) -> str:
    """The message that the study named in the address is not there, as HTML."""
    return str(
        note(_("There is no study “{study}”; choose one of those there are.", study=name[:100]), "warn")
    )


def no_such_item(item: str, study: str) -> str:
    """The message that the item named in the address is not in the study, as HTML."""
    said = _(
        "There is no item “{item}” in study {study}; choose one of its list.", item=item[:100], study=study
    )
    return str(note(said, "warn"))


def study_choices(studies: Sequence[tuple[str, str, StudyStatus]]) -> Choices:
    """(label, name) of each study."""
    return [(study_label(name, status), name) for key, name, status in studies]


def choices_of(names: Mapping[Any, str]) -> Choices:
    """(label, value) of each name, after `all`."""
    return [(_("all"), ""), *((_(label), value) for value, label in names.items())]


def scope_choices() -> Choices:
    """(label, value) of the scopes of an action."""
    return [(_("the chosen items"), "chosen"), (_("all that the filters find"), "all")]


def order_choices() -> Choices:
    """(label, value) of each order."""
    return [(_(label), value) for value, label in ORDERS.items()]


def differ_choices() -> Choices:
    """(label, value) of the filter by whether labels differ."""
    return [(_("all"), ""), (_("yes"), "yes"), (_("no"), "no")]


def annotator_choices(found: ItemList | None) -> Choices:
    """(label, pseudonym) of each annotator, after the choice of all."""
    return [(_("all"), ""), *crew_choices(found)]


def crew_choices(found: ItemList | None) -> Choices:
    """(`pseudonym (account)`, pseudonym) of each annotator of the study, as choices."""
    return [(f"{name} ({account})", name) for name, account in (found.annotators if found else ())]


def template_choices(found: ItemList | None) -> Choices:
    """(label, id) of each template, after the choice of all."""
    return [(_("all"), ""), *((name, name) for name in (found.templates if found else ()))]


def list_label(found: ItemList) -> str:
    """The table's heading, such as `Items 51 to 100 of 240`."""
    first = (found.page - 1) * PAGE + 1
    return _(
        "Items {first} to {last} of {total}",
        first=first,
        last=first + len(found.lines) - 1,
        total=found.found,
    )


def rows(found: ItemList) -> list[list[str]]:
    """Rows for COLUMNS, one per item."""
    return [
        [
            place(line),
            shorten(line.question, LONGEST_QUESTION, placeholder=" …"),
            line.template_id,
            _(REPRESENTATION_NAMES.get(line.representation, line.representation)),
            state(line),
            workers(line),
            MISSING if line.differ is None else _("yes") if line.differ else _("no"),
            line.item,
        ]
        for line in found.lines
    ]


def place(line: ItemLine) -> str:
    """The item's place in the study, from 1; training items come before and have none."""
    if line.round == "training":
        return _("training")
    return str(line.position + 1)


def item_choices(found: ItemList) -> Choices:
    """(label, id) of the items on the page."""
    return [
        (
            _(
                "{place}: {question}",
                place=place(line),
                question=shorten(line.question, 60, placeholder=" …"),
            ),
            line.item,
        )
        for line in found.lines
    ]


def state(line: ItemLine) -> str:
    """The item's state in words, such as `1 of 3 judged, in work, flagged`."""
    done = line.count("submitted")
    if line.decided:
        told = [_("decided")]
    elif line.due:
        told = [_("waits for an adjudicator")]
    else:
        told = [_("{n} of {places} judged", n=done, places=line.places)] if done else []
    begun = [_("in work")] if line.count("open") else []
    skipped = [_("skipped")] if line.count("skipped") else []
    flagged = [_("flagged")] if line.flagged else []
    return ", ".join([*told, *begun, *skipped] or [_("not begun")]) + "".join(f", {one}" for one in flagged)


def workers(line: ItemLine) -> str:
    """Who has the item and how far, such as `A1: submitted; A2: in work`."""
    return "; ".join(
        _("{name}: {status}", name=_named(one.pseudonym, one.round), status=_(STATUSES[one.status]))
        for one in line.work
    )


def _named(pseudonym: str, round_: str) -> str:
    return f"{pseudonym} ({_(ROUNDS['repeat'])})" if round_ == "repeat" else pseudonym


def nothing_found() -> str:
    """The message in place of an empty table, as HTML."""
    return str(note(_("No item matches these filters.")))


def details_title(details: ItemDetails) -> str:
    """The heading of an item's details, as Markdown."""
    return "## " + _("Item {place}", place=place(details.line))


def records_view(details: ItemDetails) -> str:
    """The item's records as a table, as HTML; empty without records."""
    found = record_table(details.instance.records)
    return str(table(_("Records"), found["columns"], found["rows"])) if found["rows"] else ""


def facts(details: ItemDetails) -> list[list[str]]:
    """(field, value) rows on the item."""
    line = details.line
    return [
        [_("Question"), details.instance.question],
        [_("Gold answer"), details.instance.answer or _("not documented")],
        [_("Template"), line.template_id],
        [_("State"), state(line)],
        [_("Annotators"), workers(line) or _("none")],
        [_("Model"), details.model or _("not shown")],
    ]


def revision_rows(details: ItemDetails, taxonomy: Taxonomy) -> list[list[str | int]]:
    """Rows for REVISIONS, by annotator in the order in which they were saved."""
    return [
        [
            _named(one.pseudonym, one.round),
            one.revision,
            f"{one.at:{MINUTE_FORMAT}}",
            _("submitted") if one.submitted else _("locked blind"),
            judgement_words(one.judgement, taxonomy),
            _changed(one, taxonomy),
        ]
        for one in details.revisions
    ]


def _changed(one: ItemRevision, taxonomy: Taxonomy) -> str:
    return MISSING if one.before is None else change_words(one.before, one.judgement, taxonomy)


def links(details: ItemDetails, study: str) -> str:
    """Links to the item's own address and to its changes, as Markdown."""
    line = details.line
    found = [link(_("Address of this item"), "/items/", study=study, item=line.item)]
    if line.round != "training":
        about = {"study": details.study_id, "item": line.position + 1}
        found.append(link(_("What the log says of this item"), "/changes/", **about))
    return bullets(found)
