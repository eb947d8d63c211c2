"""Which tests of metadata every item answers that states the key: numbers, levels, yes or no, and closed lists, where
another value is known to be another (METHOD 7.5). Pure."""

from pdgf.constraints import words as said
from pdgf.constraints.checks import MetadataConstraint, Requirement
from pdgf.constraints.metadata import KeyKind, MetadataKey, MetadataSchema

CLOSED = 30  # values up to which a column of one value an item is a closed list


def tells_all(constraint: MetadataConstraint, schema: MetadataSchema) -> bool:
    """Whether a value of the key decides the test either way."""
    if constraint.requirement not in (Requirement.ONE_OF, Requirement.NONE_OF):
        return True
    key = next((key for key in schema.keys if key.key == constraint.key), None)
    if key is None or key.kind is not KeyKind.CATEGORY:
        return False
    if key.words in said.COUNTRY_KEYS:
        return constraint.complete  # what is from elsewhere is known to be
    return (constraint.complete and constraint.requirement is Requirement.ONE_OF) or is_closed(key)


def is_closed(key: MetadataKey) -> bool:
    """Whether a key has one of few values an item."""
    return not key.listed and len(key.values) <= CLOSED
