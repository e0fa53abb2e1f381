"""Prove that a wording says what its rule computes, with a reader of English that shares no code with
the rule.
"""
