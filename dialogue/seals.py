"""Checksums of what is kept: SQLite has none of its own, and a changed byte must never be read as something else.

A checkpoint carries its checksum before its bytes, which are compressed where they are many, for every step writes the
whole record anew; a row of the list of conversations carries one in a column.
"""

import hashlib
import zlib
from collections.abc import Sequence
from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from pdgf.errors import StoreDamaged

PREFIX = "sealed-"  # of the kind of a value that carries a checksum; those of the first release carry none
COMPRESSED = "zlib-"  # after it, of one whose bytes are compressed
MANY = 512  # bytes, from which on compressing is worth its time
FAST = 1  # level: two thirds of the time of the default for a twentieth more of bytes
MOST = 256 * 1024 * 1024  # bytes of one value, which may be crafted
BYTES = 8
KINDS = frozenset(["null", "bytes", "msgpack"])  # all that is ever written; others could name something to build


class SealedSerializer(JsonPlusSerializer):
    """Values of checkpoints with a checksum. Plain data only: no row may name a type to build."""

    def __init__(self) -> None:
        super().__init__(allowed_msgpack_modules=None)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """The kind of a value and its bytes, the checksum of both before them."""
        kind, packed = super().dumps_typed(obj)
        if len(packed) >= MANY:
            kind, packed = COMPRESSED + kind, zlib.compress(packed, FAST)
        return PREFIX + kind, _checksum(kind, packed) + packed

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """The value again. Raises StoreDamaged."""
        kind, packed = data
        if not isinstance(kind, str) or not isinstance(packed, bytes):
            raise StoreDamaged("a value of another type")
        if kind.startswith(PREFIX):
            kind, checksum, packed = kind.removeprefix(PREFIX), packed[:BYTES], packed[BYTES:]
            if checksum != _checksum(kind, packed):
                raise StoreDamaged("a checkpoint was changed")
            if kind.startswith(COMPRESSED):
                kind, packed = kind.removeprefix(COMPRESSED), _unpacked(packed)
        if kind not in KINDS:
            raise StoreDamaged("a value of a kind that is never written")
        try:
            return super().loads_typed((kind, packed))
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise StoreDamaged(f"unreadable ({type(error).__name__})") from error


def _unpacked(packed: bytes) -> bytes:
    reading = zlib.decompressobj()
    try:
        whole = reading.decompress(packed, MOST)
    except zlib.error as error:
        raise StoreDamaged("a value that cannot be unpacked") from error
    if not reading.eof:
        raise StoreDamaged("a value of a size that is never written")
    return whole


def seal(*values: Any) -> int:
    """The checksum of a row, as SQLite can hold it; it depends on the type of each value too."""
    digest = hashlib.blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=BYTES).digest()
    return int.from_bytes(digest, "big", signed=True)


def sealed(row: Sequence[Any]) -> bool:
    """Whether a row is as it was written; its checksum is its last value."""
    return bool(row[-1] == seal(*row[:-1]))


def _checksum(kind: str, packed: bytes) -> bytes:
    return hashlib.blake2b(packed, digest_size=BYTES, key=kind.encode()).digest()
