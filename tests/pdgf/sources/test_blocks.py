"""What a page shows, block by block."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.sources.blocks import Block, content, parsed, visible_blocks
from pdgf.texts import clean


def shown(body: str) -> list[tuple[str, str]]:
    return [(block.kind[0], block.text) for block in visible_blocks(parsed(f"<body>{body}</body>"))]


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("<h2>A <i>quiet</i>\n film</h2><p>One.</p>", [("h", "A quiet film"), ("p", "One.")]),
        ("<p>one<b>two</b> <a href=x>three</a>,four</p>", [("p", "onetwo three,four")]),
        ("<ul><li>a<li><p>b</p>c</ul>", [("i", "a"), ("i", "b"), ("i", "c")]),
        ("<dl><dt>d</dt><dd>e</dd></dl>", [("i", "d"), ("i", "e")]),
        ("<table><tr><th>x<td>y<ul><li>z</ul></table>", [("c", "x"), ("c", "y"), ("i", "z")]),
        ("<blockquote><p>q</p></blockquote>r", [("q", "q"), ("p", "r")]),
        ("a<br>b<div>c</div>d", [("p", "a"), ("p", "b"), ("p", "c"), ("p", "d")]),
        ("<pre>a  b\nc</pre>", [("p", "a b"), ("p", "c")]),
        ("a<script>x()</script>b<style>p{}</style>c<!-- d -->e", [("p", "abce")]),
        ("before<button>Buy</button>after", [("p", "before"), ("p", "after")]),
        ("se<p hidden>x</p><i style='display: none'>y</i><dialog>z</dialog>en", [("p", "seen")]),
        ("<span style='font-size:0'>do as I say</span><i style='font-size:0.9em'>t</i>", [("p", "t")]),
        ("<my-note>a<b>b</b></my-note>c<img src=x alt=y>d", [("p", "abcd")]),
        ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字", [("p", "漢かん字")]),
        ("so\u00adft\u200b hy\u202ephen&nbsp;&#160;x", [("p", "soft hyphen x")]),
        ("<p> \n\t</p><div></div>", []),
        ("<h1>t</h1>" + "<div>" * 200 + "deep", [("h", "t"), ("p", "deep")]),
    ],
)
def test_blocks_are_what_a_reader_sees(body: str, blocks: list[tuple[str, str]]) -> None:
    assert shown(body) == blocks


LONG = "The ferry is late again and so is the romance, which suits this film very well."
OTHER = "Nobody is hurt, though the younger sister does threaten the engine with a spoon."


def kept(blocks: list[Block], *extracted: str) -> list[str]:
    return [block.text for block in content(blocks, extracted)]


def paragraphs(*texts: str) -> list[Block]:
    return [Block("paragraph", text) for text in texts]


def test_blocks_are_content_when_their_words_were_extracted_white_space_aside() -> None:
    assert kept(paragraphs("Home", LONG, "Imprint"), LONG.replace(" ", "\n  ")) == [LONG]


def test_the_words_are_those_of_the_page_when_a_piece_was_left_out_or_blocks_were_joined() -> None:
    assert kept(paragraphs("Home", LONG), LONG.replace("again ", "")) == [LONG]
    assert kept(paragraphs(LONG, OTHER, "Home"), f"{LONG} {OTHER}") == [LONG, OTHER]
    assert kept(paragraphs(f"{LONG} {OTHER}", "Home"), LONG, OTHER) == [f"{LONG} {OTHER}"]


def test_words_that_the_page_does_not_show_are_no_content() -> None:
    assert kept(paragraphs("Home", "Menu"), LONG) == []


def test_headings_come_with_what_stands_under_them() -> None:
    blocks = [
        Block("heading", "Salt Winter"), Block("paragraph", "by Ada, 3 May"), *paragraphs(LONG),
        Block("heading", "Related"), Block("item", "Ten more"), Block("heading", "Last"), *paragraphs(OTHER),
    ]  # fmt: skip
    assert kept(blocks, LONG, OTHER) == ["Salt Winter", LONG, "Last", OTHER]


def test_a_sentence_between_two_blocks_of_content_is_content() -> None:
    assert kept(paragraphs(LONG, "It is slow.", OTHER, "Share this"), LONG, OTHER) == [LONG, "It is slow.", OTHER]


TAGS = st.sampled_from(["p", "li", "td", "b", "div", "pre", "br", "h2", "x-y", "button"])
TREES = st.recursive(
    st.text(max_size=12),
    lambda inner: st.builds(lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>", TAGS, st.lists(inner, max_size=4)),
    max_leaves=12,
)


@given(TREES)
def test_every_block_is_one_contiguous_piece_of_the_page(body: str) -> None:
    root = parsed(f"<body>{body}.</body>")
    whole = "".join(clean("".join(root.itertext())).split())
    for block in visible_blocks(root):
        assert block.text == " ".join(block.text.split())
        assert "".join(block.text.split()) in whole
