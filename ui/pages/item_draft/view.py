"""Item drafts as rows and sentences. No Gradio, no database."""

from collections.abc import Sequence

from clinicnum.annotations.curation.drafted_item import KIND_NAMES, ItemContent, ItemKind
from clinicnum.annotations.curation.drafts import DraftSummary
from clinicnum.annotations.curation.item_draft_checks import ItemCheck
from clinicnum.db.work.drafts.item_drafts import ItemDraft
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.markdown_links import bullets, escape_markdown, link
from clinicnum.ui.components.value_display_names import word

DRAFTS = (
    Translatable("Question"),
    Translatable("Status"),
    Translatable("Changed by"),
    Translatable("Changed"),
    "ID",
)
DRAFT_WIDTHS: list[str | int] = ["46%", "13%", "13%", "12%", "16%"]
SIMILAR = (Translatable("Item"), Translatable("Words in common"), Translatable("Question"))
SIMILAR_WIDTHS: list[str | int] = ["22%", "16%", "62%"]
CHANGED = (Translatable("Before"), Translatable("After"))
NONE = Translatable(
    "No item draft yet. Open a failure on the page Failures that concerns an imported question, and choose "
    "New item from this."
)
ABOUT = Translatable(
    "From a failure on an imported question to an item for the next version of its benchmark. Experts answer "
    "and rate it blind, as they do templates."
)
KIND_HELP: dict[ItemKind, str] = {
    "paraphrase": Translatable(
        "Put the text in other words. Every number, the options and the gold answer stay as they are."
    ),
    "counterfactual": Translatable(
        "Change one fact in the text, so that another answer is right, and say which and why."
    ),
    "new": Translatable("Write another question of the same kind, with its gold answer and why it is right."),
}
GOLD_HELP = {
    "choice": Translatable("The letter of the right option"),
    "numeric": Translatable("A number in digits"),
    "medcalc": Translatable("A number in digits, or a date or weeks and days in the form of the original"),
    "medec": Translatable("CORRECT, or the number of the wrong sentence, a blank and the sentence corrected"),
    "points": Translatable("A reference answer for people to read; optional"),
}
LIMIT_HELP = Translatable(
    "Of MedCalc-Bench's items, leave both empty to have them set as the source does: 5 % to either side of a "
    "decimal, otherwise the gold itself."
)
SOUND = Translatable("The checks find no fault: the item can be sent to review.")
STALE = Translatable(
    "Somebody saved this draft after you opened it; nothing was overwritten. Copy what you want to keep of "
    "yours, then choose the draft again."
)
SAVED = Translatable("Saved.")
Rows = list[list[str]]


def draft_rows(found: Sequence[DraftSummary]) -> Rows:
    """Rows for DRAFTS."""
    return [
        [one.wording, word(one.status), one.changed_by, f"{one.changed_at:%Y-%m-%d}", one.draft_id]
        for one in found
    ]


def draft_choices(found: Sequence[DraftSummary]) -> list[tuple[str, str]]:
    """(label, id) of each draft."""
    return [(f"{_short(one.wording)} ({word(one.status)})", one.draft_id) for one in found]


def kind_choices() -> list[tuple[str, str]]:
    """(label, value) of each kind of item."""
    return [(_(label), kind) for kind, label in KIND_NAMES.items()]


def facts(one: ItemDraft) -> str:
    """Where the draft comes from and how far it is, as Markdown."""
    summary = one.draft.summary
    made = _(
        "Made from item {item} of benchmark {benchmark}.",
        item=escape_markdown(one.original.instance_id),
        benchmark=escape_markdown(one.original.benchmark_id),
    )
    lines = [made, escape_markdown(one.draft.note)]
    if one.data_use:
        lines.append(f"**{escape_markdown(one.data_use)}**")
    if summary.status == "submitted" and summary.version is not None:
        name, version = summary.version
        to_review = link(_("Its review"), "/rounds/", template=name, version=version)
        lines.append(" ".join([_("Sent to review as version {version}.", version=version), to_review]))
    return "\n\n".join(filter(None, lines))


def original_text(original: Instance) -> str:
    """The question from which an item is made, with its gold."""
    gold = [_("Gold answer: {gold}", gold=original.answer or "")]
    if original.lower and original.upper and original.lower != original.upper:
        gold.append(_("Limits: {lower} to {upper}", lower=original.lower, upper=original.upper))
    options = [f"{chr(ord('A') + place)}. {text}" for place, text in enumerate(original.options)]
    points = [f"- {point.text}" for point in original.points]
    return "\n".join([original.context, original.question, *options, *points, *gold]).strip()


def on_lines(texts: Sequence[str]) -> str:
    """Texts one a line; a line break inside one becomes a blank."""
    return "\n".join(" ".join(text.split()) for text in texts)


def from_lines(text: str, known: Sequence[str]) -> tuple[str, ...]:
    """The texts on the lines of a field; a line that equals one of `known` apart from blanks becomes that
    text, unchanged.
    """
    as_known = {" ".join(one.split()): one for one in known}
    lines = (" ".join(line.split()) for line in text.splitlines())
    return tuple(as_known.get(line, line) for line in lines if line)


def gold_of(content: ItemContent, original: Instance) -> ItemContent:
    """The content with the fields restored that its kind may not change: options, and for a paraphrase the
    gold.
    """
    if content.kind == "new":
        return content
    kept: dict[str, object] = {"options": original.options}
    if content.kind == "paraphrase":
        kept |= {
            "answer": original.answer or "",
            "lower": original.lower or "",
            "upper": original.upper or "",
            "points": tuple(point.text for point in original.points),
            "reason": "",
        }
    return content.model_copy(update=kept)


def fault_list(check: ItemCheck) -> str:
    """What the checks found, as Markdown."""
    if check.holds:
        return _(SOUND)
    n = len(check.faults)
    heading = ngettext("{n} fault to mend:", "{n} faults to mend:", n)
    return f"**{heading}**\n\n" + bullets(escape_markdown(_(one)) for one in check.faults)


def changed_rows(check: ItemCheck) -> Rows:
    """Rows for CHANGED."""
    return [[one.before or "-", one.after or "-"] for one in check.changed]


def similar_rows(check: ItemCheck) -> Rows:
    """Rows for SIMILAR."""
    return [[one.instance_id, f"{one.score:.0%}", _short(one.question)] for one in check.similar]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 120 else f"{line[:120]} …"
