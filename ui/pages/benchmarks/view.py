"""Stored benchmarks, their instances and findings as rows of text. No Gradio, no database."""

from collections.abc import Sequence
from textwrap import shorten
from urllib.parse import urlencode

from markupsafe import Markup

from clinicnum.credentialed_data import CREDENTIALED_SOURCES
from clinicnum.db.work.benchmarks.benchmark_list import BenchmarkSummary, VariantCount
from clinicnum.db.work.benchmarks.browse_instances import InstancePage
from clinicnum.lint.lint_results import Verdict
from clinicnum.lint.stored_findings import LintFindings
from clinicnum.translatable_text import Translatable
from clinicnum.types import OPERATIONS, REPRESENTATIONS, Instance
from clinicnum.ui.components.answer_points_and_dimensions import imported_facts
from clinicnum.ui.components.context_view import context_blocks, context_view
from clinicnum.ui.components.figure_help import help_button
from clinicnum.ui.components.html import MISSING, framed, note, record_table, table
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.next_steps import steps_view
from clinicnum.ui.components.value_display_names import REPRESENTATION_NAMES, word
from clinicnum.ui.pages.benchmarks.option_names import FORMAT_NAMES, SOURCE_NAMES, VARIANT_NAMES

LONGEST = 300
"""Maximum text length in tables."""
ALL = ""
COLUMNS = (
    Translatable("Name"),
    Translatable("Source"),
    Translatable("Instances"),
    Translatable("Operations"),
    Translatable("Representations"),
    Translatable("Variants"),
    Translatable("Runs"),
    Translatable("Data"),
    Translatable("ID"),
)
WIDTHS: list[str | int] = ["165px", "175px", "95px", "150px", "150px", "115px", "65px", "130px", "160px"]
ABOUT = Translatable(
    "A benchmark is a set of questions with gold answers. Generate one, and its answers are proven from the "
    "records; or import questions made elsewhere, whose answers are taken as they come. Then run models on "
    "it."
)
OPEN, NOT_KNOWN_OPEN = Translatable("open"), Translatable("not known to be open")
CREDENTIALED = Translatable("credentialed")
NONE_YET = Translatable(
    "There is no benchmark yet. Generate one: in the tab Generate, choose what it should hold and press the "
    "button."
)
INSTANCE_COLUMNS = (
    Translatable("Question"),
    Translatable("Gold answer"),
    Translatable("Operation"),
    Translatable("Representation"),
    Translatable("Variant"),
    Translatable("Template"),
    Translatable("ID"),
)
INSTANCE_WIDTHS: list[str | int] = ["340px", "130px", "130px", "145px", "200px", "200px", "170px"]
VARIANT_COLUMNS = (
    Translatable("Variant"),
    Translatable("Made"),
    Translatable("Not made"),
    Translatable("Why not"),
)
FINDING_COLUMNS = (
    Translatable("Verdict"),
    Translatable("Rule"),
    Translatable("Why"),
    Translatable("Gold answer"),
    Translatable("Records give"),
    Translatable("Template"),
    Translatable("ID"),
)
FINDING_WIDTHS: list[str | int] = ["140px", "150px", "400px", "120px", "120px", "190px", "170px"]
VERDICTS: dict[Verdict, str] = {
    "wrong": Translatable("gold answer is wrong"),
    "ambiguous": Translatable("gold answer is ambiguous"),
    "defect": Translatable("other defect"),
}
NEVER_LINTED = Translatable(
    "Not checked yet. The check reads every context anew, computes every gold answer a second time, and says "
    "where they differ."
)


def no_such_benchmark(asked: str) -> str:
    """The message that the benchmark named in the address does not exist, as HTML."""
    said = _("There is no benchmark “{benchmark}”; choose one of those there are.", benchmark=asked[:100])
    return str(note(said, "warn"))


def benchmark_rows(found: Sequence[BenchmarkSummary]) -> list[list[str | int]]:
    """Rows for COLUMNS, one per benchmark."""
    return [
        [
            one.name,
            source(one),
            one.instances,
            _words(one.operations),
            ", ".join(_(REPRESENTATION_NAMES.get(name, name)) for name in one.representations),
            ", ".join(_variant(name) for name in one.variants) or _("none"),
            one.runs,
            _(_openness(one)),
            one.benchmark_id,
        ]
        for one in found
    ]


def _openness(one: BenchmarkSummary) -> Translatable:
    if not one.credentialed:
        return OPEN
    return CREDENTIALED if one.source in CREDENTIALED_SOURCES else NOT_KNOWN_OPEN


def benchmark_choices(found: Sequence[BenchmarkSummary]) -> list[tuple[str, str]]:
    """(label, id) of each benchmark; those of one name are told apart by their ids."""
    names = [one.name for one in found]
    return [
        (one.name if names.count(one.name) == 1 else f"{one.name} ({one.benchmark_id})", one.benchmark_id)
        for one in found
    ]


def list_label(n: int) -> str:
    """The heading of the list of benchmarks."""
    return ngettext("{n} benchmark", "{n} benchmarks", n)


def source(one: BenchmarkSummary) -> str:
    """Where the records or questions of a benchmark come from."""
    if one.format is not None:
        name = _(FORMAT_NAMES.get(one.format, one.format))
        return _("{format}, file {name}", format=name, name=one.source) if one.source else name
    return _(SOURCE_NAMES.get(one.source, one.source)) if one.source else _("not said")


def _words(names: Sequence[str]) -> str:
    return ", ".join(map(word, names))


def _variant(name: str) -> str:
    """A variant's name in words; of a combined variant, the names of its parts joined by ` + `."""
    return " + ".join(_(VARIANT_NAMES.get(part, part)) for part in name.split("+"))


def operation_choices() -> list[tuple[str, str]]:
    """(label, value) of the filter of operations."""
    return [(_("all"), ALL), *((word(one), one) for one in (*OPERATIONS, "external"))]


def representation_choices() -> list[tuple[str, str]]:
    """(label, value) of the filter of representations."""
    names = (*REPRESENTATIONS, "external")
    return [(_("all"), ALL), *((_(REPRESENTATION_NAMES[one]), one) for one in names)]


def template_choices(found: InstancePage) -> list[tuple[str, str]]:
    """(label, value) of the filter of templates."""
    return [(_("all"), ALL), *((one, one) for one in found.templates)]


def instance_rows(instances: Sequence[Instance]) -> list[list[str]]:
    """Rows for INSTANCE_COLUMNS, one per instance."""
    return [
        [
            shorten(one.question, LONGEST, placeholder=" …"),
            shorten(gold(one), LONGEST, placeholder=" …"),
            word(one.operation),
            _(REPRESENTATION_NAMES[one.representation]),
            _variant(one.variant) if one.variant else MISSING,
            one.template_id,
            one.instance_id,
        ]
        for one in instances
    ]


def page_label(found: InstancePage) -> str:
    """The heading of the list of instances."""
    return ngettext("{n} instance", "{n} instances", found.total)


def gold(instance: Instance) -> str:
    """The gold answer with its unit, as text."""
    if instance.answer is None:
        return _("not documented")
    return f"{instance.answer} {instance.unit}" if instance.unit else instance.answer


def facts(instance: Instance) -> list[list[str]]:
    """(field, value) rows on an instance."""
    options = "\n".join(f"{chr(ord('A') + at)}: {text}" for at, text in enumerate(instance.options))
    return [
        [_("Question"), instance.question],
        *([[_("Options"), options]] if options else []),
        [_("Gold answer"), gold(instance)],
        *imported_facts(instance),
        [_("Template"), instance.template_id],
        [_("Variant"), _variant(instance.variant) if instance.variant else MISSING],
        [_("Patient"), instance.subject_id],
        [_("ID"), instance.instance_id],
    ]


def records_view(instance: Instance) -> str:
    """The text that the model is given, and the records as a table unless it is one itself, as HTML."""
    text = Markup('<section class="bm-sample"><h3>{}</h3>{}</section>').format(
        _("As the model is given it"), context_view(instance.context)
    )
    found = record_table(instance.records)
    if not found["rows"] or any(drawn for drawn, _lines in context_blocks(instance.context)):
        return framed(text)
    return framed(text + table(_("Records"), found["columns"], found["rows"]))


def next_steps(benchmark: str, variants: Sequence[VariantCount]) -> str:
    """Next steps with a stored benchmark, and its counts of variants, as HTML."""
    address = f"/runs/?{urlencode({'benchmark': benchmark})}"
    steps = steps_view(
        [(_("Launch a run on it"), address), (_("Upload answers to it"), f"{address}&tab=upload")]
    )
    if not variants:
        return steps
    rows = [
        [
            _variant(one.name),
            one.made,
            sum(n for _why, n in one.not_made),
            "; ".join(f"{why} ({n})" for why, n in one.not_made) or MISSING,
        ]
        for one in variants
    ]
    heads, what = [_(one) for one in VARIANT_COLUMNS], help_button("variants_made")
    counts = table(_("Variants"), heads, rows, prose=(3,), what=what)
    title = _("Of which questions there are variants, and of which not")
    return steps + framed(Markup("<details><summary>{}</summary>{}</details>").format(title, counts))


def worked(instance: Instance) -> str:
    """The worked solution, one step per line; empty for answer points (see `facts`)."""
    return "" if instance.points else "\n".join(instance.worked)


def sample(instances: Sequence[Instance]) -> str:
    """Instances as shown to a model, each with its gold answer, as HTML."""
    cards = Markup("").join(
        Markup(
            '<section class="bm-sample"><h3>{}</h3>{}<p>{}</p><p><strong>{}</strong> {}</p></section>'
        ).format(_kind(one), context_view(one.context), one.question, _("Gold answer:"), gold(one))
        for one in instances
    )
    return framed(cards)


def _kind(instance: Instance) -> str:
    representation = _(REPRESENTATION_NAMES[instance.representation])
    kind = f"{word(instance.operation)}, {representation}"
    return f"{kind}: {_variant(instance.variant)}" if instance.variant else kind


def finding_rows(found: LintFindings) -> list[list[str]]:
    """Rows for FINDING_COLUMNS, one per finding."""
    return [
        [
            _(VERDICTS[one.verdict]),
            one.rule,
            one.message,
            one.gold or MISSING,
            one.records_give or MISSING,
            one.template_id,
            one.instance_id or MISSING,
        ]
        for one in found.findings
    ]


def lint_summary(found: LintFindings | None) -> str:
    """The last check's result, as HTML."""
    if found is None:
        return str(note(_(NEVER_LINTED)))
    total = sum(found.by_rule.values())
    said = [
        _("{checked} of {n} gold answers were computed again.", checked=found.checked, n=found.instances),
        ngettext("{n} finding.", "{n} findings.", total) if total else _("Nothing was found."),
    ]
    if len(found.findings) < total:
        said.append(_("The first {n} are listed.", n=len(found.findings)))
    if found.not_checked:
        reasons = ", ".join(f"{reason} ({n})" for reason, n in found.not_checked.items())
        said.append(_("Not checked: {reasons}.", reasons=reasons))
    tone = "warn" if total else "good" if found.checked else ""
    return str(note(" ".join(said), tone))
