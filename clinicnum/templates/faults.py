"""A fault in a template, with the place in the YAML where it stands."""

from clinicnum.templates.tree import Step

Path = tuple[str | int, ...]
"""Keys and list positions, from the template down."""


class FaultError(ValueError):
    """A template contradicts itself; `path` leads to the key at fault."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path


def below(path: Path, step: Step) -> Path:
    """The path of a child node, as the YAML spells it."""
    name, index = step
    return (*path, name.rstrip("_"), *(() if index is None else (index,)))
