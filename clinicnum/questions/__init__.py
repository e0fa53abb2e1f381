"""One question on one context, computed and checked."""
