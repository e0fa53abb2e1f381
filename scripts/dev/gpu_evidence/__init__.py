"""Checks and measurements on a GPU: `python -m clinicnum.scripts.dev.gpu_evidence` (docs/gpu.md).

`gpu_setup.py` has machine, model and commands; `random_weights.py` makes the model; `rates.py` measures
tokens per second; `memory.py` limits memory (`limit_memory.py`); `kill_checks.py` kills; `figures.py`
reports.
"""
