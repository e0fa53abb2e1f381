"""One function per transaction: given a session, domain objects in and out; the caller commits once."""
