"""A study in one file that anyone can check: raw rows, what they were made with, and the report on them."""
