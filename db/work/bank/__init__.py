"""The versions of templates that the bank holds."""
