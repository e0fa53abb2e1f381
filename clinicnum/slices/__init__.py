"""Find slices of questions where a model does worst on half of the subjects; test them on the others."""
