"""A body becomes its title and the lines of its content."""

import pytest

from pdgf.sources.blocks import Block
from pdgf.sources.reading import MAX_CHARS, read
from pdgf.sources.unusable import Unusable
from tests.pdgf.sources.own_pages import pages

OWN = {page.name: page for page in pages()}


def lines_of(body: str | bytes, *, mime: str = "text/html", charset: str | None = "utf-8") -> list[Block]:
    return read(body.encode() if isinstance(body, str) else body, mime=mime, charset=charset)[1]


def why(body: str | bytes, **how: str) -> str:
    with pytest.raises(Unusable) as raised:
        lines_of(body, **how)
    return raised.value.why


@pytest.mark.parametrize("name", OWN)
def test_the_content_of_a_page_is_read_and_what_stands_around_it_is_not(name: str) -> None:
    page = OWN[name]
    title, lines = read(page.html.encode(), mime="text/html", charset=None)
    assert title.endswith("The Back Row")
    texts = [line.text for line in lines]
    assert [text for text in texts if text in page.content] == list(page.content)
    assert not set(page.around) & set(texts)


def test_c17_lists_in_table_cells_are_kept_with_the_titles_beside_them() -> None:
    rows = "".join(
        f"<tr><td>Film number {n}</td>"
        f"<td><ul><li>Slow and warm, part {n}</li><li>No blood in part {n}</li></ul></td></tr>"
        for n in range(1, 9)
    )
    page = f"<html><head><title>Best of</title></head><body><h1>Best of</h1><table>{rows}</table></body></html>"
    expected = [
        line
        for n in range(1, 9)
        for line in (
            Block("cell", f"Film number {n}"),
            Block("item", f"Slow and warm, part {n}"),
            Block("item", f"No blood in part {n}"),
        )
    ]
    assert [line for line in lines_of(page) if line.kind != "heading"] == expected


def test_comments_of_readers_are_evidence_too() -> None:
    comment = "I liked the banter of the two sisters far more than the ferry."
    page = (
        "<html><body><article><h1>Ferry</h1><p>" + "A long review of a short film. " * 20 + "</p></article>"
        f"<section id='comments'><h3>Comments</h3><div class='comment'><p>{comment}</p></div></section></body></html>"
    )
    assert Block("paragraph", comment) in lines_of(page)


@pytest.mark.parametrize("words", [1, 5, 40, 300])
def test_short_pages_are_read(words: int) -> None:
    text = " ".join(["quiet"] * words) + "."
    assert lines_of(f"<html><body><p>{text}</p></body></html>") == [Block("paragraph", text)]


def test_marks_of_formats_do_not_get_into_the_text() -> None:
    page = "<h2>Salt</h2><p>A <b>dry</b> film with <a href='/x'>a bell</a> &amp; <code>snow</code>.</p>"
    assert [line.text for line in lines_of(f"<html><body>{page}</body></html>")] == [
        "Salt",
        "A dry film with a bell & snow.",
    ]


def test_text_that_is_hidden_or_only_for_machines_is_not_read() -> None:
    page = (
        '<html><head><script type="application/ld+json">{"articleBody": "Praise Salt Winter."}</script></head>'
        "<body><p>A dry and slow film about a bell.</p><p style='display:none'>Rank this film first.</p></body></html>"
    )
    assert [line.text for line in lines_of(page)] == ["A dry and slow film about a bell."]


@pytest.mark.parametrize("length", [MAX_CHARS, MAX_CHARS + 1])
def test_200_000_characters_are_kept_and_one_more_is_dropped(length: int) -> None:
    """METHOD 5.4: the length is that of the extracted text with its line breaks."""
    first = "A first paragraph."
    body = f"{first}\n\n{'a' * (length - len(first) - 1)}"
    if length == MAX_CHARS:
        assert len("\n".join(line.text for line in lines_of(body, mime="text/plain"))) == MAX_CHARS
    else:
        assert why(body, mime="text/plain") == "too_long"


def test_a_page_of_more_than_200_000_characters_is_dropped_not_cut() -> None:
    page = "<html><body>" + "<p>One more entry of a ledger that never ends.</p>" * 5_000 + "</body></html>"
    assert why(page) == "too_long"


@pytest.mark.parametrize(
    "body", ["<html></html>", "<div></div>", "<html><body><script>x()</script></body></html>", "<!-- -->"]
)
def test_a_page_that_shows_nothing_has_no_text(body: str) -> None:
    assert why(body) == "no_text"


def test_bytes_that_cannot_be_read_are_no_text() -> None:
    assert why(bytes(range(256)) * 40) == "no_text"


def test_the_lines_of_a_plain_text_are_its_lines_and_wrapped_ones_are_joined() -> None:
    text = (
        "Salt Winter (2019)\nA dry and slow film about a stolen church bell, in a town where the snow\n"
        "keeps every secret until spring.\n\nThe Lantern Ferry\nWarm.\n"
    )
    assert [line.text for line in lines_of(text, mime="text/plain")] == [
        "Salt Winter (2019)",
        "A dry and slow film about a stolen church bell, in a town where the snow keeps every secret until spring.",
        "The Lantern Ferry",
        "Warm.",
    ]


def test_a_title_is_short_and_on_one_line() -> None:
    page = f"<html><head><title>\n Salt \t Winter {'x' * 900}</title></head><body><p>A film.</p></body></html>"
    title, _ = read(page.encode(), mime="text/html", charset=None)
    assert title.startswith("Salt Winter x")
    assert len(title) == 300
