"""The curators' page of rounds of review."""
