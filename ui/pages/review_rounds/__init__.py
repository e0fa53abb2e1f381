"""The page on which curators run review rounds."""
