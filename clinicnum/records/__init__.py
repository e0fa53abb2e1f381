"""Sources of records (`synthetic`, `mimic-iv-ed`, `csv`), all cleaned the same way and sampled by strata."""
