"""What a status of refusal means, by itself and by what the server says."""

import pytest

from pdgf.sources.search.faults import judged

UNAUTHORIZED = "Unauthorized."


@pytest.mark.parametrize(
    ("status", "message", "why", "retry"),
    [
        (401, "", "key", False),
        (403, UNAUTHORIZED, "key", False),
        (403, "", "key", False),
        (400, "Invalid API key", "key", False),
        (403, "Not available in your country", "refused", False),
        (402, "", "credit", False),
        (400, "Not enough credits", "credit", False),
        (403, "You are out of credits", "credit", False),
        (429, "Insufficient account balance", "credit", False),
        (401, "payment required", "credit", False),
        (429, "", "busy", True),
        (429, "Rate limit exceeded", "busy", True),
        (503, "", "busy", True),
        (500, "", "unreachable", True),
        (502, "", "unreachable", True),
        (504, "", "timeout", True),
        (408, "", "timeout", True),
        (400, "Bad value", "refused", False),
        (414, "", "refused", False),
        (404, "", "no_api", False),
        (302, "", "no_api", False),
        (418, "", "refused", False),
    ],
)
def test_a_status_means(status: int, message: str, why: str, retry: bool) -> None:
    fault = judged(status, message)
    assert (fault.why, fault.retry) == (why, retry)


def test_a_page_with_403_is_a_refusal_by_something_on_the_way() -> None:
    assert judged(403, "Just a moment", page=True).why == "refused"


def test_a_bad_request_may_be_the_fault_of_one_query() -> None:
    assert judged(400, "Query pattern not allowed").of_query
    assert not judged(400, "Not enough credits").of_query
    assert not judged(403, UNAUTHORIZED).of_query


def test_a_query_about_credit_cards_does_not_look_like_an_account_without_credit() -> None:
    assert judged(400, "Bad query: a thriller about credit card fraud on a low balance").why == "refused"


def test_the_server_says_how_long_to_wait() -> None:
    assert judged(429, "", retry_after="7").wait == 7.0
    assert judged(503, "", retry_after="soon").wait is None
