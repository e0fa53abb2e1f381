"""Frozen reports: build, list, read and compare them; models over several studies."""
