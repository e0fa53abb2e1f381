"""Runs of models, loaded into the database."""
