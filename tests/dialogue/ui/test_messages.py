"""Chat messages can hold emphasis and plain web links, and nothing that loads or runs."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from dialogue.ui.messages import plain, safe_link, safe_markdown

MARKDOWN = MarkdownIt("commonmark", {"html": True})
SIGNS = st.text(alphabet="![]()<>\\`*_#&;:/\"' \nabjx1.", max_size=60)
INLINE = "![ ]( ) [ ] ! \\ < > ` ** a http://evil.invalid/x javascript:alert(1) data:x &#91; &lt; <http://a.b>"
BLOCK = ("<img src=x>", "[r]: javascript:x", "[r]", "![r]", "\n", "\n\n", " ", "    ", "- ", "# ", "1. ", "> ", "```")
PIECES = st.lists(st.sampled_from(INLINE.split()), max_size=14).map("".join)
BLOCKS = st.lists(st.sampled_from(BLOCK), max_size=14).map("".join)


def tokens(text: str) -> list[Token]:
    found = []
    for token in MARKDOWN.parse(text):
        found += [token, *(token.children or [])]
    return found


def text_of(text: str) -> str:
    return "".join(token.content if token.type == "text" else " " for token in tokens(text) if token.type != "inline")


@given(st.one_of(SIGNS, PIECES, BLOCKS))
def test_no_text_becomes_an_image_an_element_or_a_link_of_another_scheme(text: str) -> None:
    found = tokens(safe_markdown(text))
    assert not [token for token in found if token.type in ("image", "html_block", "html_inline")]
    links = [str(token.attrs["href"]) for token in found if token.type == "link_open"]
    assert all(link.startswith(("http://", "https://")) for link in links)


@given(st.one_of(SIGNS, PIECES, BLOCKS))
def test_what_a_person_typed_is_shown_as_typed(text: str) -> None:
    found = tokens(plain(text))
    assert {token.type for token in found} <= {
        "paragraph_open",
        "paragraph_close",
        "inline",
        "text",
        "softbreak",
        "hardbreak",
    }
    assert text_of(plain(text)).split() == text.split()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("![a cat](http://evil.invalid/?q=secret)", "a cat"),
        ("!![a](http://evil.invalid/1)", "a"),
        ("![x][1]\n\n[1]: http://evil.invalid/", "![x][1] [1]: http://evil.invalid/"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"),
        ("[click](javascript:alert(1))", "[click](javascript:alert(1))"),
        ("<form action=http://evil.invalid>", "<form action=http://evil.invalid>"),
    ],
)
def test_hostile_markup_is_shown_as_the_text_it_is(text: str, shown: str) -> None:
    assert " ".join(text_of(safe_markdown(text)).split()) == shown


def test_emphasis_headings_and_web_links_stay() -> None:
    assert safe_markdown("### 1. Dune\n**very** good") == "### 1. Dune\n**very** good"
    assert safe_markdown("see [the page](https://example.org/a?b=1)") == "see [the page](https://example.org/a?b=1)"


def test_amounts_of_money_pass_unchanged() -> None:
    amounts = "$5 to $10, budget $200M"
    assert safe_markdown(amounts) == plain(amounts) == amounts


@pytest.mark.parametrize("line", ["# not a heading", "> not a quote", "- not a list", "1. not a list", "---", "***"])
def test_a_typed_line_never_turns_into_a_block(line: str) -> None:
    assert [token.type for token in tokens(plain(line))] == ["paragraph_open", "inline", "text", "paragraph_close"]


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://example.org/a", "https://example.org/a"),
        (" http://example.org ", "http://example.org"),
        ("javascript:alert(1)", None),
        ("JavaScript:alert(1)", None),
        ("data:text/html,x", None),
        ("file:///etc/passwd", None),
        ("//example.org", None),
        ("https://", None),
        ("http://[broken", None),
        ("", None),
        (None, None),
    ],
)
def test_only_web_addresses_are_linked(address: str | None, kept: str | None) -> None:
    assert safe_link(address) == kept


def test_entities_are_the_only_thing_that_escaping_adds() -> None:
    assert re.sub(r"&#\d+;", "", plain("*a* <b> [c](d)")) == "a b> c](d)"
