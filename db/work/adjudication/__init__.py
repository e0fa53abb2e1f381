"""What adjudicators do: decide disagreements, contests and flags."""
