"""Validity rules that an instance must satisfy to enter a benchmark: V1 to V6 and V8; V7 is only a flag."""
