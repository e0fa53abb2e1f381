"""From records and templates to the instances of a benchmark."""
