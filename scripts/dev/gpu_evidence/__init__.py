"""What a GPU has to show, in one command: `python -m clinicnum.scripts.dev.gpu_evidence` (docs/gpu.md).

`setting.py` is where and with what; `random_weights.py` makes the model; `rates.py` measures tokens a second;
`memory.py` takes memory away, through `limited.py`; `broken_off.py` kills; `figures.py` writes it down.
"""
