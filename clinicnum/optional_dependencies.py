"""The packages of optional extras, and the error that says which extra to install if one is missing."""

from collections.abc import Iterator
from contextlib import contextmanager

from clinicnum.errors import InputError

PACKAGES = {
    "local": ("accelerate", "gguf", "safetensors", "tokenizers", "torch", "transformers"),
    "openai": ("anyio", "httpx2", "tenacity"),
    "ray": ("ray",),
    "report": ("cryptography", "jinja2", "markupsafe", "matplotlib", "pyarrow", "sklearn", "xlsxwriter"),
    "ui": (
        *("alembic", "argon2", "babel", "fastapi", "gradio", "itsdangerous", "markdown_it"),
        *("prometheus_client", "psycopg", "sqlalchemy", "sqlmodel", "starlette", "uvicorn"),
    ),
}
"""Extra -> the names under which its packages are imported."""
_EXTRA_OF = {package: extra for extra, packages in PACKAGES.items() for package in packages}


class MissingExtra(InputError, ImportError):
    """A package of an extra is not installed."""


@contextmanager
def explain_missing() -> Iterator[None]:
    """A context manager for imports: if an extra's package is missing, it raises MissingExtra, which says
    what to install.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _EXTRA_OF:
            raise
        raise MissingExtra(
            f'{package} is not installed; run: pip install "clinicnum[{_EXTRA_OF[package]}]"'
        ) from error
