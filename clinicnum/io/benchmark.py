"""Read a benchmark file: its instances by id, each once."""

from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.io.jsonl import read_jsonl
from clinicnum.types import Instance


def read_benchmark(path: Path) -> dict[str, Instance]:
    """Instances by id, in the order of the file. Raises InputError if there are none, or an id twice."""
    instances: dict[str, Instance] = {}
    for instance in read_jsonl(path, Instance):
        if instance.instance_id in instances:
            raise InputError(
                f"{path}: instance {instance.instance_id} stands there twice; "
                "expected each id once: remove one"
            )
        instances[instance.instance_id] = instance
    if not instances:
        raise InputError(f"{path}: holds no instances; make a benchmark with clinicnum generate")
    return instances
