"""The audit log: write it, replay it, compare it with an earlier check."""
