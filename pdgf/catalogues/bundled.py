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
