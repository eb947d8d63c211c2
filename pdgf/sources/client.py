"""What every client for the web has in common: whom it trusts and which version of this program it names."""

from functools import cache
from importlib import metadata
from ssl import SSLContext

import httpx2


@cache
def tls() -> SSLContext:
    """The usual certificates, nothing of the environment. Reading them takes a while: ask for them in a thread."""
    return httpx2.create_ssl_context(trust_env=False)


@cache
def version() -> str:
    """The version of this program; "0" when it is run from its folder."""
    try:
        return metadata.version("pdgf")
    except metadata.PackageNotFoundError:
        return "0"
