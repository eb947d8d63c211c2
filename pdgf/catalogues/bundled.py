"""The four domains that come with the package."""

import importlib.resources
from pathlib import Path

from pdgf.errors import UnknownDomain

BUNDLED = ("movies", "books", "anime", "restaurants")


def bundled_path(domain: str) -> Path:
    """The item file of a bundled domain. Raises UnknownDomain for any other name."""
    if domain not in BUNDLED:
        raise UnknownDomain(domain, BUNDLED)
    return Path(str(importlib.resources.files("pdgf.catalogues").joinpath(f"{domain}.jsonl")))


def shipped_place(domain: str) -> Path:
    """Where the vectors of a bundled domain's texts stand: the name of the encoder and the ending come after it."""
    return bundled_path(domain).parent / "vectors" / domain
