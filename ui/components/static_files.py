"""JavaScript and HTML of the pages, as Gradio's components take them."""

from pathlib import Path

STATIC = Path(__file__).parents[1] / "static"


def script(*names: str) -> str:
    """Files of `ui/static` one after the other, as the body of one function."""
    return "\n".join((STATIC / name).read_text(encoding="utf-8") for name in names)
