"""The parts of `clinicnum run`: options, one file per client, ranks, progress and the dry run."""
