"""Frozen reports and bundles: request, store, list and read them; and models compared over several
studies.
"""
