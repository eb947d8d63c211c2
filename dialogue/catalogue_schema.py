"""The schema of a catalogue's metadata, worked out once for as long as the catalogue gives the same items."""

from collections import deque
from collections.abc import Sequence

from pdgf.constraints import MetadataSchema, schema_of
from pdgf.models import Candidate

SCHEMAS: deque[tuple[Sequence[Candidate], MetadataSchema]] = deque(maxlen=8)  # those of the catalogues asked last


def schema_for(items: Sequence[Candidate]) -> MetadataSchema:
    """The keys that the items of a catalogue have, with kinds and vocabularies."""
    known = next((schema for seen, schema in SCHEMAS if seen is items), None)
    if known is None:
        known = schema_of(items)
        SCHEMAS.append((items, known))
    return known
