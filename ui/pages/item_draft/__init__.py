"""The page on which curators write items for the next version of an imported benchmark."""
