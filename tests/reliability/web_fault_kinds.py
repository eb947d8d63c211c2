"""What a search or a page can do instead of answering well, and what may be expected after it (RELIABILITY 4.2)."""

from collections.abc import Mapping

from tests.web import page_server, search_server
from tests.web.page_server import Answer, Redirect, Served

CHALLENGE = b"<html><head><title>Just a moment...</title></head><body>Checking that you are human.</body></html>"
SLOW_SEARCHES = frozenset([search_server.Fault.HANG, search_server.Fault.DRIP])
# After these a search is not asked again before the next start: its key, its credit or the whole of it is refused.
FOR_GOOD = frozenset(
    search_server.Fault[name]
    for name in (
        "FORBIDDEN", "BLOCKED", "NO_KEY", "NO_CREDIT", "PAYMENT", "BAD_REQUEST", "SPENT", "NOT_FOUND", "ERROR_IN_200",
    )
)  # fmt: skip
# Answers that are in order but hold less: another list is then no failure. None at all needs a word.
FEWER_HITS = frozenset(
    search_server.Fault[name]
    for name in (
        "NO_LINK", "NUMBER_LINK", "EMPTY_LINK", "NO_HITS", "SAME_HITS", "NO_LIST", "NULL_LIST", "ERROR_IN_200",
    )
)  # fmt: skip
SLOW_PAGES = frozenset(fault for fault in page_server.Fault if "hang" in fault or "drip" in fault)

# What a page can be instead of itself: each fault of a server, and what no reader can do anything with.
PAGE_FAULTS: Mapping[str, Answer] = {
    **{fault.name: fault for fault in page_server.Fault},
    **{f"status {status}": Served(b"no", status=status) for status in (403, 404, 429, 500, 503)},
    "challenge": Served(CHALLENGE),
    "no text": Served(b"<html><body><script>words()</script></body></html>"),
    "unreadable": Served(b"<p>" + bytes(range(128, 256)) * 40 + b"</p>"),
    "nested without end": Served(b"<div>" * 200_000),
    "no page": Served(b"%PDF-1.7", "application/pdf"),
    "redirect inside": Redirect("http://169.254.169.254/latest/meta-data"),
    "redirect nowhere": Redirect("ftp://127.0.0.1/"),
}
