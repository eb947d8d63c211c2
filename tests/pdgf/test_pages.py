"""Addresses, page choice and chunks (METHOD 5.2, 5.4)."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.pages import (
    FORUM_HOSTS,
    SOCIAL_HOSTS,
    Page,
    canonical_url,
    chunk_spans,
    chunks,
    is_page,
    longest_pages,
    node_urls,
)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTPS://WWW.Example.COM:443/A/b/?utm_source=x&q=1&gclid=3#part", "https://www.example.com/A/b?q=1"),
        ("http://example.com/", "http://example.com"),
        ("http://example.com:8080/x", "http://example.com:8080/x"),
        ("https://example.com:80/x", "https://example.com:80/x"),
        ("http://example.com./x//", "http://example.com/x"),
        ("http://example.com/?UTM_Medium=a&fbclid=b", "http://example.com"),
        ("http://example.com/a%20b?x=&y=%2F", "http://example.com/a%20b?x=&y=%2F"),
        ("http://[2001:DB8::1]:80/x", "http://[2001:db8::1]/x"),
        (" http://example.com/x\n", "http://example.com/x"),
        ("http://example.com/?utmost=1&gclidx=2", "http://example.com?utmost=1&gclidx=2"),
    ],
)
def test_spellings_of_one_address_meet(url: str, expected: str) -> None:
    assert canonical_url(url) == expected
    assert canonical_url(expected) == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "//example.com/x",
        "ftp://example.com/x",
        "javascript:alert(1)",
        "data:text/html,x",
        "http://",
        "http:///x",
        "http://user:secret@example.com",
        "http://good.example\\@127.0.0.1/",
        "http://example.com:99999/",
        "http://example.com:x/",
        "http://[::1",
        "http://exa mple.com",
        "http://example.com/\x00",
        "http://example.com/\ud800",
        7,
        None,
    ],
)
def test_an_address_that_cannot_be_used_is_not_kept(url: str) -> None:
    assert canonical_url(url) is None
    assert not is_page(url)
    assert node_urls([[url]]) == ()


@given(st.text(max_size=40), st.sampled_from(["", "http://", "https://a.example/", "https://[", "http://a.example:"]))
def test_nothing_is_raised_on_odd_addresses(rest: str, start: str) -> None:
    found = canonical_url(start + rest)
    assert found is None or canonical_url(found) == found
    assert is_page(start + rest) in (True, False)


def test_hosts_are_matched_whole_or_below_the_listed_one() -> None:
    """T21."""
    assert is_page("https://netflix.com/title", video=())
    assert not is_page("https://netflix.com/title")
    assert not is_page("https://m.facebook.com/x")
    assert not is_page("https://x.com/x")
    assert is_page("https://box.com/x")
    assert is_page("https://facebook.com.example.org/x")


@pytest.mark.parametrize("host", ["pinterest.com", "www.pinterest.de", "pinterest.co.uk", "fr.pinterest.com.mx"])
def test_a_wildcard_takes_every_top_level_domain(host: str) -> None:
    assert not is_page(f"https://{host}/pin/1")


@pytest.mark.parametrize("host", ["notpinterest.com", "pinterest.example.com", "pinterest"])
def test_a_wildcard_takes_no_other_host(host: str) -> None:
    assert is_page(f"https://{host}/pin/1")


def test_forums_hold_the_answers_of_benchmarks_and_can_only_be_allowed_openly() -> None:
    for url in ("https://www.reddit.com/r/x", "https://old.reddit.com/r/x", "https://redd.it/x"):
        assert not is_page(url)
        assert is_page(url, social=SOCIAL_HOSTS - FORUM_HOSTS)
    for url in ("https://www.zhihu.com/question/1", "https://www.xiaohongshu.com/explore/1"):
        assert not is_page(url, social=SOCIAL_HOSTS - FORUM_HOSTS)


@pytest.mark.parametrize("path", ["a.pdf", "a.PDF?page=2", "a%2Epdf", "x/b.tar.gz", "clip.webm#t=3", "a.epub/"])
def test_files_of_other_types_are_no_pages(path: str) -> None:
    assert not is_page(f"https://example.com/{path}")


@pytest.mark.parametrize("path", ["pdf", "a.html", "v1.2/list", "about?file=a.pdf", "mr.gif-maker"])
def test_an_extension_counts_only_at_the_end_of_the_path(path: str) -> None:
    assert is_page(f"https://example.com/{path}")


def test_a_node_reads_each_address_once_best_rank_first() -> None:
    one = ["https://b.example/x", "https://youtube.com/w", "https://c.example"]
    other = ["https://C.example/", "https://a.example", "https://b.example/x#end"]
    # b and c have rank 1, a rank 2; the video is dropped
    assert node_urls([one, other]) == ("https://b.example/x", "https://c.example", "https://a.example")


def page(url: str, length: int, rank: int = 1) -> Page:
    return Page(url=url, text="x" * length, rank=rank)


def test_the_three_longest_pages_stay_and_too_long_or_empty_ones_go() -> None:
    """T11, the page limit: 200,000 characters are kept, 200,001 are dropped, not cut."""
    pages = [
        page("https://a.example", 10),
        page("https://b.example", 200_001),
        page("https://c.example", 200_000),
        page("https://d.example", 30),
        page("https://e.example", 20),
        Page(url="https://f.example", text="  \n"),
    ]
    assert [found.url[8] for found in longest_pages(pages)] == ["c", "d", "e"]
    assert [found.url[8] for found in longest_pages(pages, limit=9)] == ["c", "d", "e", "a"]
    assert [found.url[8] for found in longest_pages(pages, max_chars=29)] == ["e", "a"]
    assert longest_pages([]) == ()


def test_equal_lengths_go_by_rank_then_address_and_one_address_counts_once() -> None:
    pages = [
        page("https://b.example", 9, rank=2),
        page("https://a.example", 9, rank=2),
        page("https://c.example", 9, rank=1),
        page("https://c.example/#again", 9, rank=1),
    ]
    assert [found.url[8] for found in longest_pages(pages)] == ["c", "a", "b"]
    longer = [*pages, page("https://d.example", 99, rank=9)]
    assert longest_pages(longer)[0].url == "https://d.example"
    assert [found.url[8] for found in longest_pages(longer, by="rank", limit=9)] == ["c", "a", "b", "d"]


@pytest.mark.parametrize(
    ("length", "count", "last"),
    [
        (1, 1, (0, 1)),
        (11_999, 1, (0, 11_999)),
        (12_000, 1, (0, 12_000)),
        (12_001, 2, (10_000, 12_001)),
        (22_000, 2, (10_000, 22_000)),
        (22_001, 3, (20_000, 22_001)),
        (32_000, 3, (20_000, 32_000)),
        (199_999, 20, (190_000, 199_999)),
        (200_000, 20, (190_000, 200_000)),
    ],
)
def test_the_number_of_chunks_follows_the_formula(length: int, count: int, last: tuple[int, int]) -> None:
    """T11."""
    spans = chunk_spans(length)
    assert len(spans) == count == (1 if length <= 12_000 else 1 + math.ceil((length - 12_000) / 10_000))
    assert spans[-1] == last


@given(st.integers(0, 90_000))
def test_chunks_cover_the_text_and_overlap_by_exactly_two_thousand(length: int) -> None:
    spans = chunk_spans(length)
    assert all(end - start <= 12_000 for start, end in spans)
    assert all(one[1] - other[0] == 2_000 for one, other in pairwise(spans))
    assert [span[0] for span in spans[:1]] == [0] * bool(length)
    assert [span[1] for span in spans[-1:]] == [length] * bool(length)


@given(st.text(min_size=1, max_size=200), st.integers(2, 20), st.data())
def test_chunks_put_together_without_their_overlap_are_the_text(text: str, size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    first, *rest = chunks(text, size=size, overlap=overlap)
    assert first + "".join(piece[overlap:] for piece in rest) == text


def test_an_empty_text_has_no_chunk() -> None:
    assert chunks("") == ()
