"""Which sections a report has, and how to leave some out."""

from collections.abc import Collection

from clinicnum.annotations.report.report_content import Report
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable

SECTION_TITLES: dict[str, Translatable] = {
    "pairwise": Translatable("Which answers are preferred?"),
    "ratings": Translatable("How are the answers rated?"),
    "claims": Translatable("Are the answers supported?"),
    "models": Translatable("Which models do best, and where?"),
    "failures": Translatable("What goes wrong, and how badly?"),
    "discordant": Translatable("Where do the models disagree?"),
    "accuracy": Translatable("How often is the model right?"),
    "taxonomy": Translatable("What went wrong"),
    "signatures": Translatable("What to look at first"),
    "examples": Translatable("Worked examples"),
    "robustness": Translatable("Does it hold when the question changes?"),
    "calibration": Translatable("Can its confidence be believed?"),
    "paper_tables": Translatable("Tables as papers print them"),
    "agreement": Translatable("Do the annotators agree?"),
    "custom_fields": Translatable("What this study asked besides"),
    "criteria": Translatable("Do the answers meet the criteria?"),
    "disputes": Translatable("What decisions change"),
    "blind": Translatable("What did seeing the gold change?"),
    "settlement": Translatable("What the judgements come to"),
    "adjudication": Translatable("What adjudicators decided"),
    "protocols": Translatable("Consensus by four protocols"),
    "annotators": Translatable("How reliable is each annotator?"),
    "scorer": Translatable("Can the score be trusted?"),
    "suggestions": Translatable("What do suggestions do?"),
    "planner": Translatable("What would a next study take?"),
    "contests": Translatable("Are the questions right?"),
    "templates": Translatable("Are the templates sound?"),
    "methods": Translatable("Methods paragraph"),
    "grras": Translatable("GRRAS items"),
    "agreement_words": Translatable("Appendix: words for the size of agreement"),
}
"""Id -> title of the sections that can be left out, in the order of the report. Those on gaps and provenance
always stay.
"""


def check_sections(chosen: Collection[str]) -> None:
    """Raise InputError, naming it, for a section that does not exist."""
    unknown = next((one for one in chosen if one not in SECTION_TITLES), None)
    if unknown is not None:
        raise InputError(
            Translatable(
                "Section {name!r} does not exist; expected some of {known}.",
                name=unknown,
                known=", ".join(SECTION_TITLES),
            )
        )


def with_sections(report: Report, chosen: Collection[str]) -> Report:
    """The report with the chosen sections, and those on gaps and provenance, which always stay; whole if none
    is chosen.

    Key figures and findings go with the tables that they rest on. Raises InputError for a section that does
    not exist.
    """
    check_sections(chosen)
    if not chosen:
        return report
    sections = tuple(one for one in report.sections if one.id in chosen or one.id not in SECTION_TITLES)
    tables = {table.id for one in sections for table in one.tables}
    figures = tuple(one for one in report.key_figures if one.table is None or one.table in tables)
    findings = tuple(
        one.model_copy(update={"more_tables": tuple(name for name in one.more_tables if name in tables)})
        for one in report.findings
        if one.table in tables
    )
    return report.model_copy(update={"sections": sections, "key_figures": figures, "findings": findings})
