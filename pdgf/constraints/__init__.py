"""Hard wishes against metadata: what a node asks of it, and whether an item can be shown to fail (METHOD 7.5). Pure.

pool -> schema_of -> MetadataSchema          the keys, their kinds and vocabularies
node, schema -> constraints_of               the tests that the node's words put on keys
test, metadata -> check                      SATISFIED, VIOLATED, PARTLY or UNKNOWN
node, schema -> keys_asked                   the keys that state what a place is asked for
graph, candidate -> hard_violation           the reason for a demotion, and what is not known
"""

from pdgf.constraints.checks import MetadataConstraint, Requirement, Verdict, check
from pdgf.constraints.hard import HardVerdict, hard_violation
from pdgf.constraints.metadata import (
    KeyKind,
    MetadataKey,
    MetadataSchema,
    constraint_keys,
    fact_line,
    facts_of,
    names_items,
    schema_of,
)
from pdgf.constraints.place_keys import keys_asked
from pdgf.constraints.wishes import constraints_of

__all__ = (
    "HardVerdict",
    "KeyKind",
    "MetadataConstraint",
    "MetadataKey",
    "MetadataSchema",
    "Requirement",
    "Verdict",
    "check",
    "constraint_keys",
    "constraints_of",
    "fact_line",
    "facts_of",
    "hard_violation",
    "keys_asked",
    "names_items",
    "schema_of",
)
