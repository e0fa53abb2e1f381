"""Two answers to one question, side by side: who was preferred, by how much, and what the position did."""
