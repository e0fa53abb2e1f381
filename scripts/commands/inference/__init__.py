"""What `clinicnum run` is made of: the order, one file a client, ranks, progress and the dry run."""
