"""`docs/gallery.md`: its commands run in order, and print what the page shows."""

import shutil
from pathlib import Path

from clinicnum.scripts.dev.check_gallery_commands import PAGE, run_page


def test_the_commands_of_the_page_print_what_it_shows(
    tmp_path: Path, small_model: Path, demo: tuple[Path, str]
) -> None:
    made, printed = demo
    shutil.copytree(made, tmp_path / "demo")
    known = {"clinicnum demo --no-serve --out demo": printed}
    _, differences = run_page(PAGE.read_text(encoding="utf-8"), tmp_path, small_model, known)
    assert not differences, "\n".join(
        [
            "",
            *map(str, differences),
            "If that is right: python -m clinicnum.scripts.dev.check_gallery_commands --write",
        ]
    )
