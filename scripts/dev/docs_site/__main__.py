"""Build the site and show it on this machine. Usage: scripts/docs [--no-serve] [--port N] [--out FOLDER]."""

import functools
import shutil
import sys
import tempfile
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated

import typer

from clinicnum.errors import InputError
from clinicnum.scripts.dev.docs_site.build import build, stage


def docs(
    no_serve: Annotated[bool, typer.Option("--no-serve", help="Only build.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the site.")] = 8000,
    out: Annotated[Path, typer.Option(help="Folder for the site, made anew.")] = Path("build/site"),
) -> None:
    """Build the documentation, check its links, and serve it on 127.0.0.1."""
    if out.exists() and not (out / "sitemap.xml").is_file() and any(out.iterdir()):
        raise InputError(f"{out}: is no earlier site, so it is not replaced; name another --out")
    with tempfile.TemporaryDirectory() as scratch:
        stage(Path(scratch))
        built = build(Path(scratch))
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(built, out)
    print(f"the site is in {out}; begin with {out / 'index.html'}")
    if not no_serve:
        handler = functools.partial(SimpleHTTPRequestHandler, directory=str(out))
        with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
            print(f"open http://127.0.0.1:{server.server_port}/ (Ctrl+C ends it)", flush=True)
            server.serve_forever()


def main() -> int:
    """Run the command; a wrong link is one line and exit code 2."""
    try:
        typer.run(docs)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
