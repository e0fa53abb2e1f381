"""Read and write files: JSONL, strict JSON, text lines, benchmark files; and say in words what is wrong in
them.
"""
