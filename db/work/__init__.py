"""One function per transaction: it takes a session and domain objects, and its caller commits once."""
