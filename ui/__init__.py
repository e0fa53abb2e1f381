"""Gradio pages inside a FastAPI parent; no SQL, no statistics."""
