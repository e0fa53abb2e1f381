"""Faults planted into sound templates, each with the name by which it must be told."""

from tests.clinicnum.faulty_trees import FAULTY_TREES
from tests.clinicnum.faulty_wordings import FAULTY_WORDINGS

FAULTS = FAULTY_TREES | FAULTY_WORDINGS
