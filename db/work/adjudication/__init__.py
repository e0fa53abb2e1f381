"""What adjudicators do: decide disagreements and contests, and answer flags and replies."""
