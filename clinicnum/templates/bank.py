"""The bank: YAML files of templates in, checked; errors name file and line."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import yaml
from pydantic import ValidationError

from clinicnum.errors import InputError
from clinicnum.templates.faults import FaultError
from clinicnum.templates.template import Template
from clinicnum.templates.tree import condition_kind

BASE_BANK = Path(__file__).parent / "bank"
EXTENDED_BANK = Path(__file__).parent / "extended"
# The same events from libyaml, where it is there, are read several times as fast.
LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


def load_bank(folder: Path = BASE_BANK) -> tuple[Template, ...]:
    """All templates of the YAML files in a folder, by id.

    A file is a list of templates. Raises InputError naming file and line of the first fault.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; a bank is a folder of YAML files with templates")
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise InputError(f"{folder}: no *.yaml in it; a bank is a folder of YAML files with templates")
    seen: dict[str, str] = {}
    templates: list[Template] = []
    for path in files:
        for where, template in _load_file(path):
            if template.id in seen:
                raise InputError(
                    f"{where}: {template.id} is already defined at {seen[template.id]}; rename one"
                )
            seen[template.id] = where
            templates.append(template)
    return tuple(sorted(templates, key=lambda t: t.id))


def bank_sha256(templates: Iterable[Template]) -> str:
    """SHA-256 of the templates' content, whatever files they stand in."""
    digest = hashlib.sha256()
    for template in sorted(templates, key=lambda t: t.id):
        digest.update(template.model_dump_json().encode())
        digest.update(b"\n")
    return digest.hexdigest()


def _load_file(path: Path) -> list[tuple[str, Template]]:
    try:
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=LOADER)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputError(f"{path}:{line}: not YAML: {error.problem}; correct the line") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not YAML text: {error}; write it as UTF-8") from error
    if not isinstance(root, yaml.SequenceNode):
        raise InputError(f"{path}:1: expected a list of templates, each beginning with '- id:'")
    return [(f"{path}:{node.start_mark.line + 1}", _template(node, path)) for node in root.value]


def _template(node: yaml.Node, path: Path) -> Template:
    _refuse_repeated_keys(node, path)
    loader = yaml.SafeLoader("")
    try:
        data = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        line = (error.problem_mark or node.start_mark).line + 1
        raise InputError(
            f"{path}:{line}: not plain YAML: {error.problem}; use strings and numbers"
        ) from error
    finally:
        loader.dispose()
    try:
        return Template.model_validate(data)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        fault = problem.get("ctx", {}).get("error")
        if isinstance(fault, FaultError):
            line, key = _place(node, fault.path, tagged=False)
        else:
            line, key = _place(node, problem["loc"], tagged=True)
        message = problem["msg"].removeprefix("Value error, ")
        raise InputError(f"{path}:{line}: {key}: {message}; correct the template") from error


def _place(node: yaml.Node, loc: tuple[int | str, ...], *, tagged: bool) -> tuple[int, str]:
    """Line and name of the deepest YAML node on a path; `tagged`: a union's tag stands in it too."""
    line, names = node.start_mark.line + 1, []
    tag = None
    for part in loc:
        child: yaml.Node | None = None
        if tagged and part == tag:  # A union's tag stands in the path but not as a key in the file.
            tag = None
            continue
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == part:
                    child, line = value, key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            child = node.value[part]
            line = child.start_mark.line + 1
        if child is not None:
            node, tag = child, _tag(child)
        names.append(str(part))
    return line, ".".join(names) or "template"


def _tag(node: yaml.Node) -> str | None:
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    keys = {str(key.value): value for key, value in pairs}
    named = keys.get("op") or keys.get("kind")
    return str(named.value) if named else condition_kind(keys)


def _refuse_repeated_keys(node: yaml.Node, path: Path) -> None:
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                line = key.start_mark.line + 1
                raise InputError(f"{path}:{line}: key {key.value!r} stands twice; keep one")
            seen.add(key.value)
            _refuse_repeated_keys(value, path)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _refuse_repeated_keys(item, path)
