"""Every block of the documentation runs, or a table says why not."""
