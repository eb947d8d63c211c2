"""Copies of one text among the pages of a node."""

import random
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.page_copies import SHARED, are_copies, blocks_of, without_copies
from pdgf.pages import Page, longest_pages
from tests.variants import every

LINES = [f"Line {n:02} speaks of a quiet house." for n in range(20)]  # all of one length
TEXTS = st.lists(st.sampled_from(["a", "A b", " a  b", "ccc", "", "d e f", "\u3000"]), max_size=12).map("\n".join)


def copies(one: str, other: str) -> bool:
    return are_copies(blocks_of(one), blocks_of(other))


@pytest.mark.parametrize(
    "other",
    [
        "\n".join(LINES).upper(),
        "\n\n".join(f"  {line} " for line in LINES),
        " ".join(LINES),
        "\n".join(reversed(LINES)),
        "\n".join(["Home", "Log in", *LINES, "Share"]),
    ],
    ids=["case", "white space", "one block", "another order", "another menu"],
)
def test_what_differs_in_form_alone_is_a_copy(other: str) -> None:
    assert copies("\n".join(LINES), other)


@pytest.mark.parametrize(("changed", "expected"), [(0, True), (1, True), (2, True), (3, False), (20, False)])
def test_nine_tenths_of_equal_blocks_make_a_copy(changed: int, expected: bool) -> None:
    """18 of 20 blocks of one length are 90 %."""
    other = [line.replace("quiet", "noisy") for line in LINES[:changed]] + LINES[changed:]
    assert ((20 - changed) / 20 >= SHARED) is expected
    assert copies("\n".join(LINES), "\n".join(other)) is expected


def test_one_site_with_two_articles_has_no_copies_however_many_lines_of_menu_they_share() -> None:
    menu = [f"Menu {n}" for n in range(40)]
    one, other = ("\n".join([*menu, f"{word} " * 200]) for word in ("quiet", "noisy"))
    assert not copies(one, other)


def test_a_part_of_a_text_is_no_copy_of_it_and_a_repeated_block_counts_as_often_as_both_have_it() -> None:
    assert not copies("\n".join(LINES), "\n".join(LINES[:10]))
    assert not copies("\n".join(LINES[:1] * 20), "\n".join(LINES))
    assert copies("\n".join(LINES * 2), "\n".join(LINES * 2))


@given(TEXTS, TEXTS)
def test_being_copies_is_symmetric_and_holds_of_every_text_itself(one: str, other: str) -> None:
    assert copies(one, one)
    assert copies(one, other) is copies(other, one)


@given(st.lists(TEXTS, max_size=8), st.integers(1, 4))
def test_what_is_kept_is_a_row_of_the_given_without_copies_and_misses_nothing_that_had_room(
    texts: list[str], limit: int
) -> None:
    kept = without_copies(range(len(texts)), text=lambda n: texts[n], limit=limit)
    assert kept == sorted(kept)
    assert len(kept) <= limit
    assert not any(copies(texts[one], texts[other]) for one in kept for other in kept if one < other)
    for left in set(range(len(texts))) - set(kept):
        before = [n for n in kept if n < left]
        assert any(copies(texts[left], texts[n]) for n in before) or len(before) == limit


def test_the_longest_copy_stands_for_all_and_the_next_longest_text_takes_the_place() -> None:
    mirrors = [Page(url=f"https://{n}.example", text="\n".join([*LINES, "x" * n])) for n in range(1, 6)]
    others = [Page(url=f"https://{name}.example", text=name * 50) for name in "abc"]
    found = longest_pages([*mirrors, *others], copies_once=True)
    assert [page.url[8] for page in found] == ["5", "a", "b"]
    assert [page.url[8] for page in longest_pages([*mirrors, *others])] == ["5", "4", "3"]
    assert [page.url[8] for page in longest_pages([*others, *mirrors], by="rank", copies_once=True)] == ["1", "a", "b"]


def steps_of(function: Callable[[], object]) -> int:
    count = 0

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("width", every(3, [60, 1, 100_000]))
def test_work_grows_with_the_length_of_the_pages_and_not_with_its_square(width: int) -> None:
    """200,000 characters a page, ten pages, some of them copies; blocks of one character, one sentence, half a page."""
    source = random.Random(7)

    def texts(length: int) -> list[str]:
        letters = "".join(source.choices("abcdefgh", k=length))
        lines = [letters[n : n + width] for n in range(0, length, width)]
        return ["\n".join(source.sample(lines, len(lines)) if n % 2 else lines) for n in range(10)]

    long, short = texts(200_000), texts(100_000)
    work = {
        len(pages[0]): steps_of(lambda pages=pages: without_copies(pages, text=lambda text: text, limit=3))
        for pages in (long, short)
    }
    most, least = max(work.values()), min(work.values())
    assert most <= 2.2 * least + 1_000
