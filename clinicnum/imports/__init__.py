"""Import items, generations and labels that other programs made, row by row.

A reader yields one object per row, or says what is wrong with the row; nothing is kept of a file with a wrong
row. `items.py`, `generations.py` and `labels.py` hold the tables of formats; a new format is one file and one
line there.
"""
