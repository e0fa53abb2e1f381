"""`clinicnum serve`: the web application."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from clinicnum.scripts.commands.common.open_database import DatabaseOption
from clinicnum.scripts.commands.common.uploads_folder import FilesOption
from clinicnum.scripts.commands.common.write_audit_anchors import AuditDirOption
from clinicnum.scripts.commands.jobs.readable_paths import DataOption

PATIENCE_S = 6.0
"""Seconds that a save waits for other saves: less than the page's timeout, so that the page can show the
reason.
"""


def serve(
    db: DatabaseOption = None,
    audit_dir: AuditDirOption = None,
    files: FilesOption = None,
    data: DataOption = None,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Start no worker for jobs; see `clinicnum worker --help`.")
    ] = False,
    host: Annotated[
        str, typer.Option(help="Address to listen on; others than loopback open it to the network.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 7860,
    metrics_port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Also serve metrics for Prometheus, to this machine.")
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="Write one JSON line a request, without texts.")] = False,
    trust_header: Annotated[
        str | None,
        typer.Option(help="Sign-on: the header in which a proxy names the account, such as X-Remote-User."),
    ] = None,
    trust_from: Annotated[
        list[str] | None,
        typer.Option(
            help="Sign-on: where that proxy connects from; addresses or networks, parted by commas."
        ),
    ] = None,
    upload_mb: Annotated[
        int, typer.Option(min=1, help="Most megabytes of a file that a researcher uploads.")
    ] = 512,
    item_view: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:FUNCTION", help="A component of your own beside the item; see docs/item-view.md."
        ),
    ] = None,
) -> None:
    """Serve the pages of every role.

    Example: clinicnum serve --db sqlite:///clinicnum.db --port 7860
    """
    import os
    from contextlib import nullcontext

    from clinicnum.db.engine import reading
    from clinicnum.db.upload_storage import MEGABYTE, Uploads
    from clinicnum.db.work.common.credentialed_data_notice import data_use_of_all
    from clinicnum.errors import InputError
    from clinicnum.scripts.commands.common.credentialed_warning import warn
    from clinicnum.scripts.commands.common.open_database import using_database
    from clinicnum.scripts.commands.common.uploads_folder import files_folder, uploads_folder
    from clinicnum.scripts.commands.common.web_app import listen
    from clinicnum.scripts.commands.jobs import readable_paths
    from clinicnum.scripts.commands.jobs.companion_worker import worker_beside
    from clinicnum.ui.app.proxy_sign_on import parse_trusted_header

    build = None if item_view is None else load_callable(item_view)
    trust = parse_trusted_header(trust_header, trust_from or ())
    if data is not None:  # pages offer what is in it
        os.environ[readable_paths.ENVIRONMENT] = str(data.resolve())
    if host not in ("127.0.0.1", "localhost", "::1"):
        typer.echo(f"warning: listening on {host}: put a proxy with TLS in front of it", err=True)
    try:
        with using_database(db, patience_s=PATIENCE_S) as engine:
            with reading(engine) as session:
                warn(data_use_of_all(session))
            folder = files_folder(engine, files)
            with nullcontext() if no_worker else worker_beside(engine, folder, data):
                listen(
                    engine,
                    host=host,
                    port=port,
                    metrics_port=metrics_port,
                    log=log,
                    trust=trust,
                    audit_dir=audit_dir,
                    item_view=build,
                    uploads=Uploads(uploads_folder(folder), largest=upload_mb * MEGABYTE),
                )
    except OSError as error:
        others = f" or metrics on {metrics_port}" if metrics_port else ""
        raise InputError(
            f"cannot listen on {host}:{port}{others}: {error.strerror}; choose another --port"
        ) from error


def load_callable(name: str) -> Callable[..., Any]:
    """The function `MODULE:FUNCTION`, also from the current folder. Raises InputError if it is not there."""
    import sys
    from importlib import import_module

    from clinicnum.errors import InputError

    module, _, function = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(
            f"--item-view {name!r} cannot be loaded: {error}; expected MODULE:FUNCTION, such as mylab:build, "
            "from the current folder or an installed package"
        ) from error
    if not callable(found):
        raise InputError(f"--item-view {name!r} is a {type(found).__name__}; expected a function")
    return found  # type: ignore[no-any-return]
