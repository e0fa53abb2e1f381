"""Generate the instances of a benchmark from records and templates."""
