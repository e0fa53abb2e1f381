"""Where records come from: `synthetic`, `mimic-iv-ed`, `csv`; cleaned alike, sampled by strata."""
