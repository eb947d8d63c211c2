"""The body of a response within two caps, on what comes over the wire and on what it unpacks to. Pure.

Only gzip and deflate are asked for and unpacked, by zlib with an output limit in every call: a small body that
expands without end costs one buffer (METHOD 5.3).
"""

import zlib
from collections.abc import Sequence

from pdgf.sources.unusable import Unusable

ACCEPTED = "gzip, deflate"
_GZIP = frozenset({"gzip", "x-gzip"})
_GZIP_START = b"\x1f\x8b"


class Body:
    """Collects a body chunk by chunk. `codings` are the values of Content-Encoding.

    With `cut` a body that is too long ends at the cap and is `full`; otherwise it is refused. Raises
    Unusable `too_large` or `broken`.
    """

    def __init__(self, codings: Sequence[str], *, max_raw: int, max_decoded: int, cut: bool = False) -> None:
        applied = [coding for value in codings for coding in value.lower().replace(" ", "").split(",")]
        applied = [coding for coding in applied if coding not in ("", "identity")]
        if len(applied) > 1 or not {*applied} <= {*_GZIP, "deflate"}:
            raise Unusable("broken", "a coding that was not asked for")
        self._coding = "gzip" if {*applied} & _GZIP else "deflate" if applied else ""
        self._max_raw, self._max_decoded, self._cut = max_raw, max_decoded, cut
        self._raw = 0
        self._parts: list[bytes] = []
        self._decoded = 0
        self._head = b""  # of a packed body, until its first two bytes are there
        self._unpacker: zlib._Decompress | None = None
        self.full = False

    def add(self, chunk: bytes) -> None:
        """Take the next bytes from the wire."""
        self._raw += len(chunk)
        if self._raw > self._max_raw:
            self._overflow()
            return
        if not self._coding:
            self._keep(chunk)
            return
        chunk, self._head = self._head + chunk, b""
        if self._unpacker is None:
            if len(chunk) < 2:
                self._head = chunk
                return
            self._unpacker = zlib.decompressobj(self._window(chunk))
        self._unpack(chunk)

    def value(self) -> bytes:
        """The whole body. Raises Unusable("broken") when its packing stops before its end."""
        if self._coding and not self.full and self._raw and (self._unpacker is None or not self._unpacker.eof):
            raise Unusable("broken", "cut")
        return b"".join(self._parts)

    def _window(self, head: bytes) -> int:
        if self._coding == "gzip":
            return 16 + zlib.MAX_WBITS
        # "deflate" is meant to be zlib's format and often is the bare stream.
        wrapped = head[0] & 0x0F == 8 and (head[0] << 8 | head[1]) % 31 == 0
        return zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS

    def _unpack(self, chunk: bytes) -> None:
        while chunk and not self.full:
            unpacker = self._unpacker
            assert unpacker is not None  # noqa: S101  made by the caller
            if unpacker.eof:
                if self._coding != "gzip" or not chunk.startswith(_GZIP_START):
                    return  # something after the end, which every browser leaves out
                unpacker = self._unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
            try:
                unpacked = unpacker.decompress(chunk, self._max_decoded - self._decoded + 1)
            except zlib.error as error:
                raise Unusable("broken", "cannot be unpacked") from error
            self._keep(unpacked)
            chunk = unpacker.unused_data

    def _keep(self, part: bytes) -> None:
        room = self._max_decoded - self._decoded
        self._parts.append(part[:room])
        self._decoded += len(part)
        if len(part) > room:
            self._overflow()

    def _overflow(self) -> None:
        if not self._cut:
            raise Unusable("too_large")
        self.full = True
