"""What went wrong with one request, and what a status of refusal means. Pure."""

import re

from pdgf.llm.faults import seconds_asked

LASTING = frozenset({"key", "credit", "refused", "not_installed"})  # nothing that passes while we run

_CREDIT = re.compile(
    r"(?:not enough|insufficient|out of|no (?:more )?)\s*(?:\w+\s)?(?:credit|fund|balance|quota)"
    r"|(?:credit|balance|quota)s?\s+(?:\w+\s)?(?:exhausted|exceeded|used up|expired|too low)"
    r"|exceeded your (?:\w+\s)?(?:quota|plan)|payment required|billing"
)
_KEY = re.compile(
    r"unauthori[sz]ed|(?:invalid|incorrect|wrong|missing|expired|unknown|no).{0,20}(?:api.?key|token)"
    r"|(?:api.?key|token).{0,20}(?:valid|missing|expired|incorrect|required)"
)
_BARRED = re.compile(r"country|region|territory|blocked|banned|suspended|cloudflare|captcha")


class SearchFault(Exception):
    """One request that failed, in plain facts. It never leaves this package: SearchFailed is made of it.

    `why` is one of SearchFailed's. `retry` says whether trying again soon may help, `wait` how many seconds the server
    asks for, `of_query` that another query may well be answered.
    """

    def __init__(
        self, why: str, detail: str = "", *, retry: bool = False, wait: float | None = None, of_query: bool = False
    ) -> None:
        super().__init__(why)
        self.why = why
        self.detail = detail
        self.retry = retry
        self.wait = wait
        self.of_query = of_query


def judged(status: int, message: str, *, retry_after: str | None = None, page: bool = False) -> SearchFault:
    """What a status other than success means, by itself and by what the server says. `page`: it sent HTML, as
    something on the way to an API does."""
    words = message.casefold()
    detail = message or f"status {status}"
    if status == 402 or (status in (400, 401, 403, 429) and _CREDIT.search(words)):
        return SearchFault("credit", detail)
    if status == 401 or (status in (400, 403) and _KEY.search(words)):
        return SearchFault("key", detail)
    if status == 403:
        return SearchFault("refused" if page or _BARRED.search(words) else "key", detail)
    wait = seconds_asked(retry_after)
    if status in (409, 425, 429, 503, 529):
        return SearchFault("busy", detail, retry=True, wait=wait)
    if status in (408, 504):
        return SearchFault("timeout", detail, retry=True, wait=wait)
    if status >= 500:
        return SearchFault("unreachable", detail, retry=True, wait=wait)
    if status in (400, 413, 414, 422):
        return SearchFault("refused", detail, of_query=True)
    if status in (404, 405) or status < 400:  # a wrong path: nothing there speaks this API
        return SearchFault("no_api", f"status {status}")
    return SearchFault("refused", detail)
