"""Figures of scale on this machine: `make bench-scale`, or python -m tests.bench.scale PART ... Asserts nothing.

indexes    FAISS in memory and pgvector in a database beside each other, 500,000 passages of 10,000 items
indexing   a file of 300 MB indexed into a database: memory, rate, what a second run does
encoding   texts a second of the packaged encoder: in this process, and on a Ray cluster of one and of two workers
chats      chats a second of one, two and three processes over one database
"""

import argparse
import asyncio
import importlib.util
import sys

from tests.bench.scale import indexes, indexing

PARTS = ("indexes", "indexing", "encoding", "chats")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.scale")
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--share", type=float, default=1.0, help="of the full size, such as 0.1")
    wanted = parser.parse_args()
    if "indexes" in wanted.parts:
        asyncio.run(indexes.measure(wanted.share))
    if "indexing" in wanted.parts:
        indexing.measure(wanted.share)
    if "encoding" in wanted.parts:
        if importlib.util.find_spec("ray") is None:
            print("encoding: left out, the package ray is not installed (pip install -e '.[ray]')", file=sys.stderr)
        else:
            from tests.bench.scale import encoding

            asyncio.run(encoding.measure(wanted.share))
    if "chats" in wanted.parts:
        from tests.bench.scale import chats

        chats.measure()


if __name__ == "__main__":
    main()
