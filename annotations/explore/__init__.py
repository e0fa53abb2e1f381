"""What models answered, cut into slices: generations as columns, accuracy of slices, flips between runs."""
