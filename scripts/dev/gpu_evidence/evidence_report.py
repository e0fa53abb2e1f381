"""The results as JSON and Markdown, for docs/performance.md."""

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from clinicnum.scripts.dev.gpu_evidence.evidence_check import Check

_PACKAGES = ("clinicnum", "torch", "transformers")


@dataclass
class Figures:
    """Measurements and checks so far; rewritten after each step, so that nothing is lost."""

    about: dict[str, str]
    """Device, versions, model and settings."""
    table: list[str] = field(default_factory=list)
    """Table of tokens per second, as lines."""
    notes: list[str] = field(default_factory=list)
    rates: list[dict[str, float]] = field(default_factory=list)
    """Tokens per second by round and way."""
    checks: list[Check] = field(default_factory=list)

    @property
    def right(self) -> bool:
        """Whether all checks so far were right."""
        return all(one.right for one in self.checks)

    def add(self, check: Check) -> None:
        """Add a check and print it."""
        self.checks.append(check)
        print(_line(check), flush=True)

    def write(self, folder: Path) -> None:
        """Write `figures.json` and `figures.md`."""
        (folder / "figures.json").write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")
        (folder / "figures.md").write_text("\n".join(self.markdown()) + "\n", encoding="utf-8")

    def markdown(self) -> list[str]:
        """A section for docs/performance.md."""
        date = self.about["date"][:10]
        facts = "; ".join(f"{key} {value}" for key, value in self.about.items() if key != "date")
        lines = [f"## {date}, {self.about['engine']} beside the local client", "", f"{facts}.", ""]
        lines += [*self.table, ""] if self.table else []
        return [*lines, *(f"{note}\n" for note in self.notes), *(_line(one) for one in self.checks)]


def about(device: str, engine: str) -> dict[str, str]:
    """What the figures were measured with: date, device, engine and versions of packages."""
    versions = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "device": _device_name(device),
        "engine": engine,
        "versions": f"{versions}, Python {platform.python_version()}",
    }


def _device_name(device: str) -> str:
    if device == "cuda":
        import torch

        total = torch.cuda.mem_get_info()[1] / 2**30
        return f"{torch.cuda.get_device_name()}, {total:.0f} GiB, CUDA {torch.version.cuda}"
    import os

    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return f"{len(os.sched_getaffinity(0))} cores of {name or platform.machine()}"


def _line(check: Check) -> str:
    return f"- {'right' if check.right else 'WRONG'}: {check.name}: {check.said}"


def same_texts(one: dict[str, str], other: dict[str, str]) -> str:
    """How many of the instances in both have equal texts, as `3 of 4`."""
    both: Sequence[str] = [key for key in one if key in other]
    return f"{sum(one[key] == other[key] for key in both)} of {len(both)}"
