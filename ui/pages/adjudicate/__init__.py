"""The page on which adjudicators settle disagreements, contests and flags."""
