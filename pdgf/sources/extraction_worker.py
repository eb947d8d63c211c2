"""The process in which pages are read: `python -m pdgf.sources.extraction_worker`, started by extract.py only.

It takes one page after another on its standard input and answers each on its standard output, in frames of four bytes
of length and as many of content. A page may take CPU_SECONDS of processor time; memory may grow to about MAX_BYTES.
Beyond either the process ends, and with it this one page. It writes no file and is given no secret.
"""

import json
import os
import signal
import struct
import sys
import time
from pathlib import Path
from typing import BinaryIO

from pdgf.sources.reading import forget, read
from pdgf.sources.unusable import Unusable

try:
    import resource
except ImportError:  # Windows has no such limits; there the parent's clock is the only one
    resource = None  # type: ignore[assignment]

CPU_SECONDS = 5
MAX_BYTES = 200 * 2**20  # resident
FORGET_PAGES = 50  # after how many the extractor forgets what it remembers of them
STATM = Path("/proc/self/statm")  # Linux: sizes in memory pages

LENGTH = struct.Struct(">I")


def main() -> None:
    """Serve until the input ends."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints stays out of the answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when to end
    _bound_memory()
    _send(sink, {"resident": _sizes()[1]})
    pages = 0
    while (asked := _frame(source)) is not None and (body := _frame(source)) is not None:
        _bound_cpu()
        answer = _answer(body, **json.loads(asked))
        pages += 1
        if pages % FORGET_PAGES == 0:
            forget()
        _send(sink, {**answer, "resident": _sizes()[1]})


def _answer(body: bytes, *, mime: str, charset: str | None) -> dict[str, object]:
    try:
        title, lines = read(body, mime=mime, charset=charset)
    except Unusable as error:
        return {"why": error.why}
    return {"title": title, "lines": lines}


def _frame(source: BinaryIO) -> bytes | None:
    head = source.read(LENGTH.size)
    return source.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None


def _send(sink: BinaryIO, answer: dict[str, object]) -> None:
    content = json.dumps(answer).encode()
    sink.write(LENGTH.pack(len(content)) + content)
    sink.flush()


def _sizes() -> tuple[int, int]:
    """Bytes of address space and of resident memory; zeros where the system does not say."""
    if not STATM.exists():
        return 0, 0
    space, resident = STATM.read_text().split()[:2]
    return int(space) * os.sysconf("SC_PAGE_SIZE"), int(resident) * os.sysconf("SC_PAGE_SIZE")


def _bound_memory() -> None:
    """Address space may grow by what memory may: then memory cannot grow by more."""
    if resource is None:
        return
    space, resident = _sizes()
    if space:
        _limit(resource.RLIMIT_AS, space + MAX_BYTES - resident)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_CORE, 0)


def _bound_cpu() -> None:
    """The processor time of the process, whole seconds, after which the system ends it."""
    if resource is not None:
        _limit(resource.RLIMIT_CPU, int(time.process_time()) + CPU_SECONDS)


def _limit(what: int, value: int) -> None:
    hard = resource.getrlimit(what)[1]
    resource.setrlimit(what, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


if __name__ == "__main__":
    main()
