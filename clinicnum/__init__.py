"""Find out where and why language models get clinical numbers wrong.

What a notebook needs is imported from here; each name is loaded when it is first used, so that
`import clinicnum` takes no time and needs neither torch nor Gradio. `docs/notebook.md` is a tour.
"""

from importlib import import_module
from typing import Any

__version__ = "0.2.0"

_HOMES = {
    "Benchmark": "api.benchmark",
    "Generation": "types",
    "InputError": "errors",
    "Instance": "types",
    "Scores": "api.scores",
    "agreement": "api.agreement",
    "compare_runs": "api.run_comparison",
    "find_slices": "slices.find_slices",
    "generate": "api.benchmark",
    "lint_benchmark": "api.benchmark",
    "load_benchmark": "api.benchmark",
    "load_scores": "api.scores",
    "measure_robustness": "api.scores",
    "report": "api.report",
    "score": "api.scores",
    "slice_accuracy": "api.slices",
    "suggest": "api.scores",
    "verify": "api.report",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'clinicnum' has no attribute {name!r}")
    from clinicnum.optional_dependencies import explain_missing

    with explain_missing():
        return getattr(import_module(f"clinicnum.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
