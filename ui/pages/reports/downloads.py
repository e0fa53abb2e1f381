"""The files that the page Reports hands out: of frozen reports, to read and to save, and bundles."""

from pathlib import PurePosixPath

from clinicnum.db.database_sessions import Store
from clinicnum.db.work.reports.frozen_reports import frozen_report, read_file
from clinicnum.db.work.reports.stored_bundles import read_bundle
from clinicnum.ui.components.downloadable_files import Download, DownloadedFile
from clinicnum.ui.pages.reports import view


def report_downloads(store: Store) -> tuple[Download, ...]:
    """The downloads of `/api/reports`; the right is checked per file."""

    def read(path: str, user_id: str) -> DownloadedFile:
        return _report_file(store, path, user_id, shown=path.endswith(".html"))

    def save(path: str, user_id: str) -> DownloadedFile:
        return _report_file(store, path, user_id, shown=False)

    def bundle(path: str, user_id: str) -> DownloadedFile:
        with store.reading() as session:
            study, content = read_bundle(session, user_id=user_id, job_id=path.partition("/")[0])
        return DownloadedFile(f"{study}-bundle.zip", content)

    return (Download(view.READ, read), Download(view.FILES, save), Download(view.BUNDLES, bundle))


def _report_file(store: Store, path: str, user_id: str, *, shown: bool) -> DownloadedFile:
    """The file at `REPORT/NAME`; NAME is one of the report's files and may have a folder."""
    report_id, _, name = path.partition("/")
    with store.reading() as session:
        content = read_file(session, user_id=user_id, report_id=report_id, name=name)
        report = frozen_report(session, user_id=user_id, report_id=report_id)
    day = f"{report.created_at:%Y-%m-%d}"
    return DownloadedFile(f"{report.title}-{day}-{PurePosixPath(name).name}", content, shown=shown)
