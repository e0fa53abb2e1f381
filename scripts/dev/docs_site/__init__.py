"""The documentation site: `docs/` and pages made from the code, built by Zensical with every link checked.

nav        the table of contents (zensical.toml), and links in place of paths
stage      copies the pages, and writes those that are made from commands, docstrings and types
build      runs Zensical on the copy, then checks what it made
commands, library, formats    one page of the reference each

The pictures of the tutorials are taken by `tests/e2e/test_tutorials.py`.
"""
