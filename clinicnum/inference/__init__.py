"""Ask a model the questions of a benchmark: requests, runs, their journal, shards of several processes; the
clients are in `local` and `openai`.
"""
