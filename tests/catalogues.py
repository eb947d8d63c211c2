"""What the bundled catalogues hold, read once in a process: no test changes an item."""

from functools import cache

from pdgf.catalogues.bundled import bundled_path
from pdgf.catalogues.reading import CatalogueItem, read_items


@cache
def bundled_items(domain: str) -> tuple[CatalogueItem, ...]:
    """The items of a bundled domain, in the order of its file."""
    return read_items(bundled_path(domain)).items
