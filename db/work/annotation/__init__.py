"""What annotators do: claim an item, judge it, skip it, flag it."""
