"""Build reports of benchmarks made elsewhere from open data, as a lab would."""
