"""Runs of models that are loaded into the database."""
