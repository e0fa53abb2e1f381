"""The consensus of several annotators by four protocols, and which generations need an adjudicator."""

from clinicnum.annotations.consensus.dawid_skene import DawidSkene, DawidSkeneResult, dawid_skene
from clinicnum.annotations.consensus.generation_consensus import (
    Settlement,
    Verdict,
    adjudication_due,
    level1_primary,
    median_severity,
    settle,
    verdict,
)
from clinicnum.annotations.consensus.protocols import PROTOCOLS, Protocol, asked_protocol, consensus_of_all
from clinicnum.annotations.consensus.vote_consensus import Consensus, consensus

__all__ = [
    "PROTOCOLS",
    "Consensus",
    "DawidSkene",
    "DawidSkeneResult",
    "Protocol",
    "Settlement",
    "Verdict",
    "adjudication_due",
    "asked_protocol",
    "consensus",
    "consensus_of_all",
    "dawid_skene",
    "level1_primary",
    "median_severity",
    "settle",
    "verdict",
]
