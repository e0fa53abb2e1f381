"""Build the documentation's site.

nav        the table of contents (zensical.toml), and links in place of paths
build      `stage` copies the pages and writes those that are made from commands, docstrings and types;
           `build` runs Zensical on the copy, then checks what it made
command_reference, library_reference, file_format_reference    one page of the reference each

The pictures of the tutorials are taken by `tests/e2e/test_tutorials.py`.
"""
