"""Results as lines of text for the terminal."""
