"""What annotators do: claim an item, judge, skip or flag it, read answers; and what a lead does with their
items and their training.
"""
