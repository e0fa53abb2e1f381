"""A study in one archive that anyone can check: raw rows, the inputs behind them, and the report built from
them.
"""
