"""Files: JSONL, strict JSON, text lines, benchmark files."""
