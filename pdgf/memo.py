"""What was found before and need not be asked for again: bounded, and without the texts that it was found for."""

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Memo(Generic[Value]):
    """Values by the digest of the texts that they depend on; the least recently used leave first.

    With `max_age` (seconds) a value is not given any more once it is that old.
    """

    def __init__(
        self, capacity: int, *, max_age: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._capacity = capacity
        self._max_age = max_age
        self._clock = clock
        self._values: OrderedDict[bytes, tuple[float, Value]] = OrderedDict()

    def get(self, *texts: str) -> Value | None:
        """The value for these texts, in this order, if it is known and young enough."""
        key = _digest(texts)
        if key not in self._values:
            return None
        stored, value = self._values[key]
        if self._max_age is not None and self._clock() - stored >= self._max_age:
            del self._values[key]
            return None
        self._values.move_to_end(key)
        return value

    def put(self, value: Value, *texts: str) -> None:
        """Remember the value for these texts."""
        key = _digest(texts)
        self._values[key] = self._clock(), value
        self._values.move_to_end(key)
        if len(self._values) > self._capacity:
            self._values.popitem(last=False)


def _digest(texts: tuple[str, ...]) -> bytes:
    """One digest of several texts; lengths keep ("ab", "c") and ("a", "bc") apart."""
    digest = hashlib.sha256()
    for text in texts:
        encoded = text.encode(errors="surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.digest()
