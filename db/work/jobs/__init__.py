"""Jobs of the worker process: queued by pages, run by `clinicnum worker`."""
