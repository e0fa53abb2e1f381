"""Read and check the bank's YAML files; errors name file and line."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from clinicnum.errors import InputError
from clinicnum.templates.fault_messages import Fault
from clinicnum.templates.parse_template import Reading, read_content
from clinicnum.templates.template import Template
from clinicnum.templates.template_yaml import PlainLoader, refuse_more_than_plain, refuse_repeated_keys

BASE_BANK = Path(__file__).parent / "bank"
EXTENDED_BANK = Path(__file__).parent / "extended"


@dataclass(frozen=True)
class Entry:
    """One template as read from a file."""

    path: Path
    node: yaml.Node
    template_id: str
    """The template's id as written; empty if it is not a text."""
    reading: Reading

    @property
    def where(self) -> str:
        """File and line where the entry begins."""
        return f"{self.path}:{self.node.start_mark.line + 1}"

    def line_of(self, fault: Fault) -> int:
        """Line of the deepest YAML node that exists on a fault's path."""
        return _line(self.node, fault.path)

    def told(self, fault: Fault) -> str:
        """A fault as a one-line text: file, line, key, problem."""
        return f"{self.path}:{self.line_of(fault)}: {fault.text()}"


def load_bank(folder: Path = BASE_BANK) -> tuple[Template, ...]:
    """All templates of the YAML files in a folder, sorted by id.

    A file is a list of templates. Raises InputError naming file and line of the first fault.
    """
    seen: dict[str, str] = {}
    templates: list[Template] = []
    twins: dict[str, str] = {}
    for entry in read_bank(folder):
        template = entry.reading.template
        if template is None or entry.reading.faults:
            first, *others = entry.reading.faults
            more = f" (and {len(others)} more: clinicnum templates check --bank {folder})" if others else ""
            raise InputError(f"{entry.told(first)}; correct the template{more}")
        if template.id in seen:
            raise InputError(
                f"{entry.where}: {template.id} is already defined at {seen[template.id]}; rename one"
            )
        twin = twins.setdefault(bare_content(template), f"{template.id} says at {entry.where}")
        if not twin.endswith(entry.where):
            raise InputError(f"{entry.where}: {template.id} says what {twin}; remove one")
        seen[template.id] = entry.where
        templates.append(template)
    return tuple(sorted(templates, key=lambda t: t.id))


def bare_content(template: Template) -> str:
    """The content of a template without id, version and status; equal for exact copies."""
    return template.model_dump_json(exclude={"id", "version", "status"})


def read_bank(folder: Path) -> list[Entry]:
    """All templates of the YAML files in a folder with all their faults, in the order of files and lines.

    Raises InputError where there is no bank, or a file that is not YAML.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; a bank is a folder of YAML files with templates")
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise InputError(f"{folder}: no *.yaml in it; a bank is a folder of YAML files with templates")
    return [entry for path in files for entry in _load_file(path)]


def bank_sha256(templates: Iterable[Template]) -> str:
    """SHA-256 of the templates' content, independent of the files they are in."""
    digest = hashlib.sha256()
    for template in sorted(templates, key=lambda t: t.id):
        digest.update(template.model_dump_json().encode())
        digest.update(b"\n")
    return digest.hexdigest()


def _load_file(path: Path) -> tuple[Entry, ...]:
    try:
        return _entries(path, path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not YAML text: {error}; write it as UTF-8") from error


@lru_cache(maxsize=256)  # to read and prove the shipped banks takes a second
def _entries(path: Path, text: str) -> tuple[Entry, ...]:
    try:
        refuse_more_than_plain(text, f"{path}:", aliases=True)
        root = yaml.compose(text, Loader=PlainLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputError(f"{path}:{line}: not YAML: {error.problem}; correct the line") from error
    except yaml.YAMLError as error:
        raise InputError(f"{path}: not YAML text: {error}; write it as UTF-8") from error
    if not isinstance(root, yaml.SequenceNode):
        raise InputError(f"{path}:1: expected a list of templates, each beginning with '- id:'")
    return tuple(_entry(path, node) for node in root.value)


def _entry(path: Path, node: yaml.Node) -> Entry:
    content = _content(node, path)
    template_id = content.get("id") if isinstance(content, dict) else None
    named = template_id if isinstance(template_id, str) else ""
    return Entry(path, node, named, read_content(content))


def _content(node: yaml.Node, path: Path) -> dict[str, Any]:
    refuse_repeated_keys(node, f"{path}:")
    loader = PlainLoader("")
    try:
        content: dict[str, Any] = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        line = (error.problem_mark or node.start_mark).line + 1
        raise InputError(
            f"{path}:{line}: not plain YAML: {error.problem}; use strings and numbers"
        ) from error
    finally:
        loader.dispose()
    return content


def _line(node: yaml.Node, path: tuple[int | str, ...]) -> int:
    line = node.start_mark.line + 1
    for part in path:
        child: yaml.Node | None = None
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == part:
                    child, line = value, key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            child = node.value[part]
            line = child.start_mark.line + 1
        if child is None:
            break
        node = child
    return line
