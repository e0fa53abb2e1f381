"""Runs the shell blocks of one page."""

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.clinicnum.serving import free_port
from tests.docs.blocks import ROOT, Block, blocks_of
from tests.docs.settings import NOT_HERE, SMALLER, Setting
from tests.docs.shell import Shell

FILE = re.compile(r"[Tt]his\s+is\s+`([^`]+)`[^`]*?^```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PORT = re.compile(r"--((?:metrics-)?port) (\d+)")


def lay_out(page: str, setting: Setting, folder: Path, material: Path) -> None:
    """Put into a folder what the page's commands name: common files, the setting's, and those on the page."""
    if setting.material:
        shutil.copytree(material, folder, dirs_exist_ok=True)
    for name, content in setting.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path):
            (shutil.copytree if content.is_dir() else shutil.copy)(content, path)
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
    for name, content in FILE.findall((ROOT / page).read_text(encoding="utf-8")):
        (folder / name).write_text(content, encoding="utf-8")
    if not (folder / "scripts").exists():
        (folder / "scripts").symlink_to(ROOT / "scripts")


def why_not(line: str) -> str | None:
    """Why a command is left out here; None for one that runs."""
    return next((reason for start, reason in NOT_HERE.items() if re.match(start, line)), None)


def script_of(block: Block, swaps: Mapping[str, str]) -> str:
    """The block as it is run: smaller, with names of this test; servers go on behind it until they answer."""
    return "\n".join(_lines(block, swaps))


def _lines(block: Block, swaps: Mapping[str, str]) -> Iterator[str]:
    ports: dict[str, int] = {}
    for line in block.lines():
        if why_not(line):
            continue
        for pattern, text in (dict(swaps) | SMALLER).items():
            line = re.sub(pattern, text, line)
        if re.search(r"clinicnum (serve|worker)\b", line):
            yield from _behind(line, ports)
        else:
            yield line
    if ports:
        yield "kill $(jobs -p); wait"


def _behind(line: str, ports: dict[str, int]) -> Iterator[str]:
    """A server or worker, begun, and waited for until it is ready."""
    line = re.split(r"\s+(?:#|&$)", line)[0]
    own = len(ports)
    for name, number in PORT.findall(line):
        line = line.replace(f"--{name} {number}", f"--{name} {ports.setdefault(number, free_port())}")
    if "serve" in line and "--port" not in line:
        line += f" --port {ports.setdefault(f'of line {own}', free_port())}"
    log = f"behind-{own}.log"
    yield f"{line} >{log} 2>&1 &"
    ready = "Ctrl+C"
    ports.setdefault(f"log {own}", 0)
    yield f"for try in $(seq 2400); do grep -q {ready} {log} && break; kill -0 $! || break; sleep 0.1; done"
    yield f"cat {log}; grep -q {ready} {log}"


def run_page(page: str, setting: Setting, folder: Path, shell: Shell, environment: Mapping[str, str]) -> int:
    """Run the blocks of a page in their order; how many commands ran."""
    ran = 0
    if setting.before:
        shell.run(setting.before, folder, environment)
    for block in blocks_of(page):
        script = (
            script_of(block, setting.swaps).replace("{folder}", str(folder)) if block.language == "sh" else ""
        )
        if script:
            shell.run(script, folder, environment)
            ran += script.count("\n") + 1
    return ran
