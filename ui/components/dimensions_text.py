"""What kind of question an imported one is, in words."""

from clinicnum.types import Instance


def dimensions_text(instance: Instance) -> str:
    """The dimensions of an instance on one line, as its source names them; empty without any."""
    return "; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in instance.dimensions.items())
