"""What an instance must satisfy before it enters a benchmark: rules V1 to V6 and V8; V7 is a flag."""
