"""Jobs of the worker: one module a kind, and how the worker runs them.

To add a kind: give it a name in `JobKind` and an argument model in `ARGUMENTS`
(`annotations/worker_jobs.py`); write `scripts/commands/jobs/NAME.py` with `def NAME(context: JobContext,
arguments: NAMEArguments)`, which returns the job's result as plain values; and enter that function in
`kinds.py` (the kind `run` is in `run_model.py`). The function may be ended at any moment, by a kill or by a
cancel, and is then called again with the same `context.folder`. So it

- writes files into `context.folder` whole or not at all (`io/jsonl.py` does), and goes on from what is there;
- stores what it made in one transaction, with `context.end_with`, which also marks the job as done: a kill
  leaves both or neither, and nothing is stored twice;
- says how far it is with `context.report`, as often as it likes;
- raises ClinicnumError for what the user can do something about: its text is shown;
- imports what is large (torch, matplotlib) inside the function, as every kind's module is imported.

There is nothing to do for a cancel: the job's process is ended.
"""
