"""Question templates: YAML with an operation tree that gives gold, evidence, working and mistakes."""
