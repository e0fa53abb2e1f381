"""Template versions and their statistics as rows of text. No Gradio, no database."""

from clinicnum.annotations.curation.bank_page_types import PAGE, VersionDetails, VersionPage, VersionSummary
from clinicnum.annotations.curation.template_version_states import SAID
from clinicnum.authoring.template_diff import Change, Difference, GoldChange, Part
from clinicnum.templates.template import Template
from clinicnum.templates.verbalize_tree import said
from clinicnum.translatable_text import Translatable
from clinicnum.types import OPERATIONS
from clinicnum.ui.components.language import _
from clinicnum.ui.components.value_display_names import WORDS, word
from clinicnum.ui.pages.bank.statistics_view import main_statistics, time_text

Choices = list[tuple[str, str]]
Rows = list[list[str]]
OPERATION: Choices = [(Translatable("all"), ""), *((WORDS[one], str(one)) for one in OPERATIONS)]
STATUS: Choices = [
    (Translatable("all but retired"), "standing"),
    *((label, key) for key, label in SAID.items()),
]
SORT: Choices = [
    (Translatable("name"), "id"),
    (Translatable("lowest discrimination"), "discrimination"),
    (Translatable("lowest accuracy"), "accuracy"),
    (Translatable("most contests"), "contests"),
    (Translatable("most instances"), "instances"),
    (Translatable("last changed"), "changed"),
]
ONLY: Choices = [(Translatable("contested"), "contested"), (Translatable("accuracy below 50 %"), "hard")]
"""OPERATION, STATUS, SORT and ONLY are the (label, value) choices of the page's filters and sort order."""
COLUMNS = (
    Translatable("Template"),
    Translatable("Version"),
    Translatable("Status"),
    Translatable("Wording"),
    Translatable("Tags"),
    Translatable("Instances"),
    Translatable("Accuracy"),
    Translatable("Contests"),
    Translatable("Discrimination"),
)
WIDTHS: list[str | int] = ["220px", "80px", "110px", "340px", "160px", "100px", "140px", "160px", "220px"]
FACTS = (
    Translatable("Field"),
    Translatable("Value"),
)
RUNS = (
    Translatable("Model"),
    Translatable("Correct"),
    Translatable("Accuracy"),
)
REJECTED = (
    Translatable("Validity rule"),
    Translatable("Questions rejected"),
)
VERSIONS = (
    Translatable("Version"),
    Translatable("Status"),
    Translatable("Since"),
)
CHANGES = (
    Translatable("Part"),
    Translatable("Change"),
)
PARTS: dict[Part, str] = {
    "wording": Translatable("Wording"),
    "rule": Translatable("Rule"),
    "slots": Translatable("Slots and givens"),
    "answer": Translatable("Form of the answer"),
    "mistakes": Translatable("Expected mistakes"),
    "about": Translatable("Description"),
}
SLOTS = {"record": Translatable("{name} (a record)"), "choice": Translatable("{name} (a choice)")}
NOTHING_FOUND = Translatable("No template matches. Remove a filter, or search for fewer words.")
STALE = Translatable("Imports, contests or closed studies are newer than these statistics.")
NOT_COUNTED = Translatable(
    "Variants, flagged instances and instances removed by a contest do not count towards accuracy."
)
RETIRE = Translatable(
    "No new benchmark will use a retired version; what was made with it stays as it is. "
    "To correct something, begin a new version instead."
)


def page_label(listing: VersionPage) -> str:
    """The heading of a page of the list, such as `Versions 51 to 60 of 60`, or that nothing was found."""
    first = (listing.page - 1) * PAGE
    if not listing.rows:
        return _(NOTHING_FOUND)
    return _(
        "Versions {first} to {last} of {total}",
        first=first + 1,
        last=first + len(listing.rows),
        total=listing.found,
    )


def page_count(listing: VersionPage) -> int:
    """The number of pages of a list, at least one."""
    return max(1, -(-listing.found // PAGE))


def version_row(one: VersionSummary) -> list[str]:
    """A row for the columns COLUMNS."""
    shown = dict(main_statistics(one.health))
    wording = one.wording or _("Known from a benchmark only: its wording is not in the bank.")
    return [
        one.template_id,
        str(one.version),
        _(SAID[one.status]),
        wording,
        ", ".join(one.tags),
        *(shown.get(name, "") for name in COLUMNS[5:]),
    ]


def version_title(template_id: str, version: int) -> str:
    """The display name of a version."""
    return _("{template} version {version}", template=template_id, version=version)


def fact_rows(one: VersionDetails) -> Rows:
    """Rows for FACTS: a version's question, and how its answer is computed."""
    template = one.template
    rows = [
        [_("Status"), _status(one)],
        [_("Author"), one.author or _("came with the program or with a benchmark")],
    ]
    if template is None:
        return [*rows, [_("Wording"), one.listed.wording or _("not in the bank")]]
    slots = [_(SLOTS[slot.kind], name=name) for name, slot in template.slots.items()]
    givens = [
        _("{given} in {unit}", given=given.label, unit=given.unit) if given.unit else given.label
        for given in template.givens.values()
    ]
    return [
        *rows,
        *([_("Wording"), text] for text in template.wording),
        [_("Operation"), word(one.listed.operation or "")],
        *([_("Computation"), f"{text}."] for text in computation_lines(template)),
        [_("Answer"), template.answer_form],
        [_("Slots"), ", ".join(slots) or _("none")],
        *([[_("Givens"), ", ".join(givens)]] if givens else []),
        [_("Steps"), str(template.steps)],
        [_("Source"), template.source],
        *([[_("Tags"), ", ".join(template.tags)]] if template.tags else []),
    ]


def _status(one: VersionDetails) -> str:
    status = _(SAID[one.listed.status])
    if not one.changed_at:
        return status
    return _("{status} since {time}", status=status, time=time_text(one.changed_at))


def version_rows(one: VersionDetails) -> Rows:
    """Rows for VERSIONS of the same template, newest first."""
    return [[str(step.version), _(SAID[step.status]), time_text(step.changed_at)] for step in one.versions]


def used_by(one: VersionDetails) -> list[str]:
    """Benchmarks and studies that contain instances of the version."""
    return [
        *(_("{n:,} instances in benchmark {name}", n=n, name=name) for name, n in one.benchmarks),
        *(_("{n:,} labels in study {name}", n=use.labels, name=use.study) for use in one.uses),
    ]


def difference_rows(found: Difference) -> Rows:
    """Rows for CHANGES: the differences between two versions."""
    rows = [[_(PARTS[change.part]), _change(change)] for change in found.changes]
    golds = found.golds
    if golds.reason is not None:
        lines = [_(golds.reason)]
    elif not golds.changed:
        lines = [_("None, on {n} questions about sample patients.", n=golds.compared)]
    else:
        counts = {"n": golds.changed, "total": golds.compared}
        lines = [_("{n} of {total} on sample patients, such as", **counts)]
        none = _("not asked")
        lines += [f"{_asked(one)}: {one.before or none} → {one.after or none}" for one in golds.examples]
    return [*rows, *([_("Answers"), line] for line in lines)]


def _change(change: Change) -> str:
    """As `change.text()`, in the page's language."""
    values = {"field": change.field, "before": change.before, "after": change.after}
    if change.before is None:
        return _("{field}: added {after}", **values)
    if change.after is None:
        return _("{field}: removed {before}", **values)
    return _("{field}: {before} -> {after}", **values)


def _asked(one: GoldChange) -> str:
    filled = ", ".join(f"{name} {value}" for name, value in one.slots.items())
    if not filled:
        return _("stay {stay}", stay=one.stay_id)
    return _("stay {stay}, {filled}", stay=one.stay_id, filled=filled)


def computation_lines(template: Template) -> list[str]:
    """The computation of the answer, and the conditions for asking the question, in words."""
    asked = [_("Asked only where {condition}", condition=said(one, template)) for one in template.requires]
    return [one[:1].upper() + one[1:] for one in (said(template.tree, template), *asked)]
