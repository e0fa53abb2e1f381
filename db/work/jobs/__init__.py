"""Jobs of the worker process: asked for by pages, run by `clinicnum worker`."""
