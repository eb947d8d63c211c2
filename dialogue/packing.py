"""A text as both stores keep it: compressed, under the SHA-256 of its UTF-8 form. Pure."""

import hashlib
import zlib

from pdgf.errors import StoreDamaged


def packed(text: str) -> tuple[str, bytes]:
    """The digest of a text, in hexadecimal digits, and its compressed form."""
    data = text.encode()
    return hashlib.sha256(data).hexdigest(), zlib.compress(data)


def unpacked(kept: bytes, digest: str) -> str:
    """The text of a compressed form. Raises zlib.error where it is none, StoreDamaged where it has another digest."""
    data = zlib.decompress(kept)
    if hashlib.sha256(data).hexdigest() != digest:
        raise StoreDamaged(f"content {digest} was changed")
    return data.decode()
