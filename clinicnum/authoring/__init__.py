"""What curators work with: contents read with all their faults, tried on sample patients, compared."""
