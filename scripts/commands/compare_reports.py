"""`clinicnum compare-reports`: what differs between two reports, figure by figure."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clinicnum.scripts.commands.common.json_option import JsonOption

if TYPE_CHECKING:
    from clinicnum.annotations.report.report_content import Report


def compare_reports(
    before: Annotated[Path, typer.Argument(help="A report's folder, or its report.json.")],
    after: Annotated[Path, typer.Argument(help="The later report's folder, or its report.json.")],
    json_output: JsonOption = False,
) -> None:
    """Show which figures, tables, plots and texts differ between two reports, and by how much.

    Example: clinicnum compare-reports before/ after/
    """
    from clinicnum.annotations.report.compare_reports import compare_reports as compare
    from clinicnum.scripts.commands.text.compared_reports import comparison_text

    found = compare(_read(before), _read(after))
    typer.echo(found.model_dump_json(indent=1) if json_output else comparison_text(found))


def _read(path: Path) -> "Report":
    from clinicnum.annotations.exports.report_files import FIGURES, read_report
    from clinicnum.errors import InputError

    file = path / FIGURES if path.is_dir() else path
    try:
        text = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}; expected a report's folder or its {FIGURES}") from error
    return read_report(text, str(file))
