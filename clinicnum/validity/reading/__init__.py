"""The V1 reader's parts. Nothing in here comes from the renderers: names, units and times are its own."""
