"""Random access to the instances of a benchmark file, for runs over a million of them: ids and lengths stay
in memory, an instance is read when needed.
"""

from array import array
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.io.jsonl import parse_line
from clinicnum.prompt import DEFAULT_PROMPT, prompt_id_of
from clinicnum.types import Instance


class PromptLengths:
    """For each instance the index of its context, and the lengths of context and prompt in characters."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self.contexts, self.of_context, self.of_prompt = array("L"), array("L"), array("L")

    def __len__(self) -> int:
        return len(self.contexts)

    def add(self, instance: Instance) -> None:
        """Add an instance."""
        digest = sha256(instance.context.encode("utf-8", "surrogatepass")).digest()
        self.contexts.append(self._numbers.setdefault(digest, len(self._numbers)))
        self.of_context.append(len(instance.context))
        self.of_prompt.append(len(instance.context) + len(instance.question))


class BenchmarkIndex:
    """Facts on all instances, kept in memory; reads each on demand."""

    def __init__(self, path: Path) -> None:
        """Reads the file once. Raises InputError, naming file and line, for what is no benchmark."""
        self._path = path
        self.places: dict[str, int] = {}
        """The place of each instance, from 0, by its id; in the order of the file."""
        self.lengths = PromptLengths()
        self.sources: set[str] = set()
        """Where the instances' records come from."""
        self.prompt_ids: set[str] = set()
        """The prompts that the instances ask for."""
        self._offsets, self._lines = array("Q"), array("L")
        digest = sha256()
        if not path.is_file():
            raise InputError(f"{path}: no such file; expected JSONL with one instance a line")
        with path.open("rb") as handle:
            offset = 0
            for number, line in enumerate(handle, start=1):
                digest.update(line)
                if line.strip():
                    self._add(parse_line(line, Instance, path, number), offset, number)
                offset += len(line)
        self.sha256 = digest.hexdigest()
        if not self.places:
            raise InputError(f"{path}: holds no instances; make a benchmark with clinicnum generate")
        self.ids = list(self.places)
        """The ids by place."""

    def __len__(self) -> int:
        return len(self.places)

    def read(self, places: Iterable[int]) -> Iterator[Instance]:
        """Yield the instances at these positions in the file. Raises InputError if the file was changed."""
        with self._path.open("rb") as handle:
            for place in places:
                handle.seek(self._offsets[place])
                instance = parse_line(handle.readline(), Instance, self._path, self._lines[place])
                if instance.instance_id != self.ids[place]:
                    raise InputError(f"{self._path}: was changed while it was read; run the command again")
                yield instance

    def _add(self, instance: Instance, offset: int, number: int) -> None:
        if instance.instance_id in self.places:
            raise InputError(
                f"{self._path}: instance {instance.instance_id} stands there twice; "
                "expected each id once: remove one"
            )
        self.places[instance.instance_id] = len(self.places)
        self._offsets.append(offset)
        self._lines.append(number)
        self.lengths.add(instance)
        self.sources.update(record.source for record in instance.records)
        self.prompt_ids.add(prompt_id_of(instance) or DEFAULT_PROMPT)
