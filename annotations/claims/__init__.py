"""The sentences of an answer and of its reference: cut, judged one by one, and counted."""
