"""The page for managing studies."""
