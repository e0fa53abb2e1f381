"""Pure core: records, templates, representations, validity, inference, scoring, metrics."""

__version__ = "0.1.0"
