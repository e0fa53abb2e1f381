"""Frozen reports as rows, choices, links and HTML. No Gradio, no database."""

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from markupsafe import Markup

from clinicnum.annotations.consensus import PROTOCOLS
from clinicnum.annotations.exports.report_files import PAGE
from clinicnum.annotations.exports.report_folder import ARCHIVES, WORKBOOK, folder_names
from clinicnum.annotations.report.chosen_sections import SECTION_TITLES
from clinicnum.annotations.report.sections.consensus_wording import NAMES
from clinicnum.db.work.reports.frozen_reports import FrozenReport
from clinicnum.db.work.reports.readable_studies import ReadableStudy
from clinicnum.db.work.reports.stored_bundles import Bundle
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.value_display_names import study_label

READ, FILES, BUNDLES = "read", "files", "bundles"
"""First segments of the paths of a report that is shown, of files to save, and of bundles."""
SHOWN_HASH, SHORT_HASH = 12, 6
COLUMNS = (
    Translatable("Report"),
    Translatable("Studies"),
    Translatable("Made"),
    Translatable("By"),
    Translatable("Since then"),
    Translatable("Hash"),
)
NO_REPORT = Translatable(
    "There is no report that is open to you yet. Reports of a study open when it is closed and decided."
)
NO_REPORT_YET = Translatable(
    "A report says what went wrong, how often and in which model. There is no report yet. Build one of a "
    "study on the tab Build a report."
)
NO_SUCH_REPORT = Translatable("There is no report “{report}” that is open to you.")
NO_SUCH_REPORT_NEWEST = Translatable(
    "There is no report “{report}” that is open to you; the newest is shown."
)
NO_SUCH_STUDY = Translatable(
    "There is no study “{study}” whose reports are open to you; choose one of those listed."
)
NO_STUDY_YET = Translatable("There is no study yet to report on. Open one on the page Studies.")
FORMS: tuple[tuple[str, Translatable], ...] = (
    (PAGE, Translatable("Web page, opens offline (HTML)")),
    (WORKBOOK, Translatable("Tables as a workbook (XLSX)")),
    ("report.md", Translatable("Text (Markdown)")),
    ("report.json", Translatable("All figures for programs (JSON)")),
    ("tables.zip", Translatable("Tables and rows (CSV)")),
    ("figures.zip", Translatable("Figures (SVG and PDF)")),
    ("latex.zip", Translatable("Tables for a paper (LaTeX)")),
    ("everything.zip", Translatable("Everything in one archive (ZIP)")),
)
"""(file name, description), in the order offered."""
assert set(ARCHIVES) <= {name for name, _text in FORMS}

Document = tuple[str, str]
"""A report's id, and the folder of a study's own report in it; the folder is empty for the main one."""


def split_document(value: str) -> Document:
    """(report id, folder) of the document that a choice's value names; the folder is empty for a whole
    report.
    """
    report_id, _slash, folder = value.partition("/")
    return report_id, folder


def document_choices(reports: Sequence[FrozenReport]) -> list[tuple[str, str]]:
    """Every document of every report, newest first: its title and date, and its value."""
    found = []
    for one in reports:
        time = f"{_time(one)}, {one.sha256[:SHORT_HASH]}"
        found.append((_("{title}, {time}", title=one.title, time=time), one.report_id))
        if len(one.studies) > 1:
            for study, folder in zip(one.studies, folder_names(one.studies), strict=True):
                label = _("{title}: {study} alone, {time}", title=one.title, study=study, time=time)
                found.append((label, f"{one.report_id}/{folder}"))
    return found


def history_rows(reports: Sequence[FrozenReport]) -> list[list[str]]:
    """Rows for COLUMNS, one per report."""
    return [
        [
            one.title,
            ", ".join(one.studies),
            _time(one),
            one.created_by,
            since(one),
            one.sha256[:SHOWN_HASH],
        ]
        for one in reports
    ]


def since(report: FrozenReport) -> str:
    """Changes in the studies since the report, in words."""
    if not report.changes:
        return _("unchanged")
    return ngettext("{n} change", "{n} changes", report.changes)


def about(report: FrozenReport) -> str:
    """How the report was made, and what changed since, as Markdown, without untrusted text."""
    sections = report.options.get("sections") or []
    below = report.options.get("suppress_below")
    consensus = report.options.get("consensus")
    parts = [
        ngettext(
            "{n} change of labels, decisions or status in its studies since.",
            "{n} changes of labels, decisions or status in its studies since.",
            report.changes,
        )
        if report.changes
        else _("Nothing changed in its studies since.")
    ]
    if sections:
        parts.append(ngettext("{n} section was chosen.", "{n} sections were chosen.", len(sections)))
    if consensus in NAMES:
        parts.append(_("Consensus: {name}.", name=_(NAMES[consensus])))
    if below is not None:
        parts.append(_("Counts under {n} are not shown.", n=below))
    parts.append(_("SHA-256 of all its files: {hash}", hash=report.sha256))
    return " ".join(parts)


def reader(report: FrozenReport, folder: str) -> str:
    """A frame that shows a document, and a link that opens it alone."""
    path = _path(READ, report.report_id, folder, PAGE)
    return str(
        Markup(
            '<div class="cn-page rp-links"><p><a href="{path}" target="_blank" rel="noopener">{alone}</a></p>'
            '<iframe class="rp-frame" src="{path}" title="{title}" '
            'sandbox="allow-same-origin allow-downloads"></iframe></div>'
        ).format(
            path=path, alone=_("Open in a tab of its own"), title=_("Report {title}", title=report.title)
        )
    )


def file_links(report: FrozenReport, folder: str, names: Sequence[str]) -> str:
    """Download links for a document's files, as HTML."""
    within = set(names)
    items = Markup("").join(
        Markup('<li><a href="{}" download>{}</a></li>').format(
            _path(FILES, report.report_id, "" if name in ARCHIVES else folder, name), _(text)
        )
        for name, text in FORMS
        if (name if name in ARCHIVES or not folder else f"{folder}/{name}") in within
    )
    return str(
        Markup('<div class="cn-page rp-links"><h3>{}</h3><ul class="rp-files">{}</ul></div>').format(
            _("Download"), items
        )
    )


def bundle_links(bundles: Sequence[Bundle]) -> str:
    """Download links for the bundles; empty without any."""
    items = Markup("").join(
        Markup('<li><a href="{}" download>{}</a></li>').format(
            _path(BUNDLES, one.job_id, "", "bundle.zip"),
            _(
                "{study}, {time} UTC, SHA-256 {hash}",
                study=one.study,
                time=f"{one.created_at:%Y-%m-%d %H:%M}",
                hash=one.sha256[:SHOWN_HASH],
            ),
        )
        for one in bundles
    )
    if not bundles:
        return ""
    return str(Markup('<div class="cn-page rp-links"><ul class="rp-files">{}</ul></div>').format(items))


def study_choices(studies: Sequence[ReadableStudy]) -> list[tuple[str, str]]:
    """Studies to choose from, with those that are not open marked."""
    return [(study_label(one.name, one.status), one.name) for one in studies]


def section_choices() -> list[tuple[str, str]]:
    """The sections that can be left out, by title."""
    return [(_(title), key) for key, title in SECTION_TITLES.items()]


def consensus_choices() -> list[tuple[str, str]]:
    """The consensus protocols; the first leaves the choice to the study."""
    usual = _("adjudicators' decisions once there are any, else the majority")
    return [(usual, ""), *((_(NAMES[key]), key) for key in PROTOCOLS)]


def least_counts() -> list[tuple[str, int]]:
    """Choices of the smallest count to show; 0 for any."""
    return [(_("all are shown"), 0), *((_("none under {n} is shown", n=n), n) for n in (5, 11))]


def _time(report: FrozenReport) -> str:
    return f"{report.created_at:%Y-%m-%d %H:%M} UTC"


def _path(kind: str, key: str, folder: str, name: str) -> str:
    return "/".join(["/api/reports", kind, *(quote(part) for part in _parts(key, folder, name))])


def _parts(*parts: str) -> Iterator[str]:
    yield from filter(None, parts)
