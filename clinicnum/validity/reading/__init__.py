"""Parts of the V1 reader. They share nothing with the renderers: names, units and times are defined
independently.
"""
