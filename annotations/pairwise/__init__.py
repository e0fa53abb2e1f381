"""Two answers to one question, side by side: which was preferred, by how much, and what the position did."""
