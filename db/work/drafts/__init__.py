"""Drafts of templates, and the failures they are made from."""
