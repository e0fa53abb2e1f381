"""Bank releases, and what rests on them."""
