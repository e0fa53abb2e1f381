"""Import items and generations that other programs made, row by row, into the types of `clinicnum.types`.

A reader yields one object per row, or says what is wrong with the row; nothing is kept of a file with a wrong
row. `items.py` and `generations.py` hold the tables of formats; a new format is one file and one line there.
"""
