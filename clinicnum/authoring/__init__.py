"""Tools for template authors: read contents with all their faults, try them on sample patients,
compare them.
"""
