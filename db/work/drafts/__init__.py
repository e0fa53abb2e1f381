"""Drafts of templates and of benchmark items, and the failures and contests they are made from."""
