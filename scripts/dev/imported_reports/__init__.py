"""Reports of benchmarks made elsewhere, built from open data as a lab would build them."""
