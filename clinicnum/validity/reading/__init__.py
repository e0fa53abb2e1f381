"""Parts of the V1 reader. Nothing here is shared with the renderers: names, units and times are
defined independently.
"""
