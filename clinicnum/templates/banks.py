"""The banks that come with clinicnum, and how a bank is named on the command line."""

from pathlib import Path

from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK, load_bank
from clinicnum.templates.template import Template

BANKS: dict[str, tuple[Path, ...]] = {
    "base": (BASE_BANK,),
    "extended": (EXTENDED_BANK,),
    "all": (BASE_BANK, EXTENDED_BANK),
}


def named_bank(name: str) -> tuple[Template, ...]:
    """The templates of `base`, `extended`, `all`, or of a folder of YAML files; by id.

    Raises InputError naming file and line of the first fault.
    """
    folders = BANKS.get(name, (Path(name),))
    return tuple(sorted((t for folder in folders for t in load_bank(folder)), key=lambda t: t.id))
