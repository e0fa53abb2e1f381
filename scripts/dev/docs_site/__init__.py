"""The documentation site: `docs/` and pages made from the code, built by Zensical with every link checked.

stage      copies the pages, and writes those that are made from commands, docstrings and types
build      runs Zensical on the copy, then checks what it made
commands, library, formats    one page of the reference each
screenshots    takes the pictures of the tutorials
"""
