"""The page that lists model runs."""
