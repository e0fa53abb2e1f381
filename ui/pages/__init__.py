"""The pages, one folder each: `page.py` (handlers and layout), `view.py` (presentation), scripts, styles."""
