"""The audit log: written, replayed, compared with an earlier check."""
