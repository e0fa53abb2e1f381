"""How reliable annotators are (against others, against themselves, over time, with suggestions), and how
many items and annotators a wanted precision needs.
"""
