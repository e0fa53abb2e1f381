"""Engines that `clinicnum run --engine NAME` starts, asks and stops.

`arguments.py` writes their command lines; `find_engine.py` finds them and their versions; `process.py`
starts, watches and stops one through `process_supervisor.py`; `client.py` plans the run.
"""
