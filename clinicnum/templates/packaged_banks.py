"""The packaged banks, and the look-up of a bank by the name used on the command line."""

from pathlib import Path

from clinicnum.templates.bank import BASE_BANK, EXTENDED_BANK, load_bank
from clinicnum.templates.template import Template

BANKS: dict[str, tuple[Path, ...]] = {
    "base": (BASE_BANK,),
    "extended": (EXTENDED_BANK,),
    "all": (BASE_BANK, EXTENDED_BANK),
}


def bank_folders(name: str) -> tuple[Path, ...]:
    """The folders of the bank `base`, `extended` or `all`; any other name is itself a folder."""
    return BANKS.get(name, (Path(name),))


def named_bank(name: str) -> tuple[Template, ...]:
    """The templates of `base`, `extended`, `all` or a folder of YAML files, sorted by id.

    Raises InputError naming file and line of the first fault.
    """
    return tuple(sorted((t for f in bank_folders(name) for t in load_bank(f)), key=lambda t: t.id))
