"""Read what options of `clinicnum study` name: guideline, fields, rating axes and criteria."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clinicnum.annotations.criteria.criterion import Criterion
    from clinicnum.annotations.custom_fields import CustomField
    from clinicnum.types import Instance


def read_axes_option(given: str, fields: Path | None) -> "tuple[CustomField, ...]":
    """The rating axes that the file `given` declares, or the built-in ones if `given` is `built-in`. Raises
    InputError if a file of fields is given as well, and for a file that is missing or wrong.
    """
    from clinicnum.annotations.ratings.rating_axes import BUILT_IN, read_axes
    from clinicnum.errors import InputError

    if fields is not None:
        raise InputError("--fields and --ratings were both given; a ratings study asks its axes only")
    return BUILT_IN if given == "built-in" else _declared(Path(given), read_axes)


def read_fields(path: Path) -> "tuple[CustomField, ...]":
    """The fields that a file declares. Raises InputError naming the file and what is wrong in it."""
    from clinicnum.annotations.custom_fields import read_custom_fields

    return _declared(path, read_custom_fields)


def _declared(path: Path, read: "Callable[[str], tuple[CustomField, ...]]") -> "tuple[CustomField, ...]":
    from clinicnum.errors import InputError

    try:
        return read(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file; expected the fields of a study, YAML") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text at byte {error.start}; expected YAML") from error
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def read_criteria_option(given: str | None, instances: "Sequence[Instance]") -> "tuple[Criterion, ...]":
    """The criteria in the file `given`, or the items' answer points for `points`; none for None.

    Raises InputError for an unreadable file, and if no item has answer points.
    """
    from clinicnum.annotations.criteria.read import criteria_of_points, read_criteria

    if given is None:
        return ()
    return criteria_of_points(instances) if given == "points" else read_criteria(Path(given))


def read_guideline(path: Path) -> str:
    """The text of a guideline file. Raises InputError if it is no UTF-8 text, OSError if it cannot be
    read.
    """
    from clinicnum.errors import InputError

    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text at byte {error.start}; expected Markdown") from error
