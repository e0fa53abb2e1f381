"""The audit log: write it, compare the tables with it, and compare it with an earlier check."""
