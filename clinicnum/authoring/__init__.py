"""Tools for template authors: find a template's faults, try it on sample patients, compare templates."""
