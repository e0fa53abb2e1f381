"""Where a model does worst: slices in words, found in half of the subjects and tested on the others."""
