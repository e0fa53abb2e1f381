"""Checks and measurements on a GPU: `python -m clinicnum.scripts.dev.gpu_evidence` (docs/gpu.md).

`evidence_configuration.py` has machine, model and commands; `random_weights.py` makes the model;
`token_rates.py` measures tokens per second; `low_memory_checks.py` limits memory (`limit_memory.py`);
`kill_checks.py` kills; `evidence_report.py` reports.
"""
