"""Statistics over items that share subjects: intervals, paired tests, accuracy."""
