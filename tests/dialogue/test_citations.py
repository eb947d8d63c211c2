"""What of a model's prose may be shown: nothing that the given texts do not bear out."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dialogue.citations import CitationCheck, Sourced, evidence_of, facts_of, passages_of
from dialogue.models import ItemRef, Piece, QuotedSource
from pdgf.models import Label, Passage, Source
from pdgf.ports import ReviewHit
from tests.dialogue.test_explanation import graph, item

ROOM = ItemRef(id="room", title="Lantern Room", year=1999)
TEXTS = {
    "e1": "The room is quiet, and the ramen is rich.",
    "e2": "Better than Drum House by far.",
    "f1": "Average spend: 20 dollars a person",
    "f2": "Cuisine: japanese",
    "p1": "很安静，适合谈话。",
    "p2": "He said “never too loud”.\nParts of it are dark.",
}
OTHERS = ("Drum House", "Frozen", "Heat", "It", "Kill Bill: Vol. 2", "千与千寻", "英雄")


def source(mark: str, quote: str) -> QuotedSource:
    return QuotedSource(item=ROOM.id, title=ROOM.title, quote=quote, source=mark)


SOURCED = tuple(Sourced(id=mark, text=text, source=source(mark, text)) for mark, text in TEXTS.items())
CHECK = CitationCheck(
    SOURCED,
    title=ROOM.title,
    known=["quiet", "parking", "under 30 dollars", "not gore", "1999"],
    others=OTHERS,
    silent=["parking", "not gore", "停车场"],
    spoken=["quiet"],
)


def shown(sentence: str, check: CitationCheck = CHECK) -> str | None:
    piece = check.piece(sentence)
    return None if piece is None else piece.text


def cited(sentence: str) -> list[tuple[str, str]]:
    piece = CHECK.piece(sentence)
    assert piece is not None
    return [(each.source, each.quote) for each in piece.sources]


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("It is quiet [e1].", "It is quiet."),
        ("It is quiet. [e1]", "It is quiet."),
        ("It is quiet.[e1][f2]", "It is quiet."),
        ("It is quiet [e1, f2] and cheap [f1].", "It is quiet and cheap."),
        ("It is quiet [ E1 ; f2 ]!", "It is quiet!"),
        ("It is quiet 【e1】.", "It is quiet."),
        ("It is quiet (e1).", "It is quiet."),
        ("它很安静 [p1]。", "它很安静。"),
        ("它很安静 [p1] 而且便宜[f1]。", "它很安静而且便宜。"),
        ("- **It** is *really* quiet [e1]", "It is really quiet"),
        ("1. It is `quiet` [e1].", "It is quiet."),
        ("## It is quiet [e1]", "It is quiet"),
    ],
)
def test_marks_and_markdown_are_taken_out_of_what_is_shown(sentence: str, text: str) -> None:
    assert shown(sentence) == text


@pytest.mark.parametrize(
    "sentence",
    [
        "It is quiet.",
        "It is quiet [e9].",
        "It is quiet [e1][e9].",
        "It is quiet [e1] [sic].",
        "It is quiet (p9).",
        "[e1]",
        "… [e1]",
        "",
        "UNKNOWN [e1]",
        "See https://example.org/x [e1].",
        "See www.example.org [e1].",
        "See [this](x) [e1].",
        "It is <b>quiet</b> [e1].",
        "| quiet | [e1] |",
        "javascript:alert(1) [e1]",
    ],
)
def test_what_cites_nothing_or_something_unknown_or_is_no_prose_is_not_shown(sentence: str) -> None:
    assert shown(sentence) is None


@pytest.mark.parametrize("marks", ["“”", '""', "«»", "„“", "「」", "‘’", "''"])
def test_a_quote_between_any_marks_must_stand_in_a_given_text(marks: str) -> None:
    opening, closing = marks
    quote = f"{opening}the ramen is rich{closing}"
    assert shown(f"It has it all: {quote} [e1].") == f"It has it all: {quote}."
    assert cited(f"It has it all: {quote}.") == [("e1", "the ramen is rich")]
    assert shown(f"It has it all: {opening}the ramen is poor{closing} [e1].") is None
    assert shown(f"It has it all: {opening}the room is rich{closing} [e1].") is None  # not contiguous


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("“THE ROOM is quiet,” says one [e1].", "“The room is quiet,” says one."),
        ("“the ramen is rich!” [e1]", "“the ramen is rich”!"),
        ("“the ramen is rich.” [e1].", "“the ramen is rich.”"),
        ("One loved “…the ramen is rich…” [e1].", "One loved “the ramen is rich”."),
        ("One says “never too loud” [p2].", "One says “never too loud”."),
        ("“很安静”[p1]。", "“很安静”。"),
    ],
)
def test_a_quote_is_shown_as_it_stands_in_its_source(sentence: str, text: str) -> None:
    assert shown(sentence) == text
    [(_, quote)] = cited(sentence)
    assert quote in " ".join(" ".join(TEXTS.values()).split())
    assert quote in text


@pytest.mark.parametrize(
    "sentence",
    [
        "It is “qui” [e1].",
        "It is “quiet … rich” [e1].",
        "It is “too louder” [p2].",
        "It is “under 30 dollars” [f1].",  # the user's words are no source
        "It is “quiet [e1].",
        "It is quiet” [e1].",
        "“never too loud”. Parts of it” [p2]",
    ],
)
def test_parts_of_words_gaps_and_open_marks_are_no_quotes(sentence: str) -> None:
    assert shown(sentence) is None


def test_the_title_may_stand_between_marks_and_needs_no_source() -> None:
    assert shown("“Lantern Room” is quiet [e1].") == "“Lantern Room” is quiet."
    assert shown("“Lantern Room”.") is None


def test_each_quote_comes_with_its_own_source_and_a_mark_without_one_with_the_whole_text() -> None:
    sentence = "“The room is quiet”, “the ramen is rich” [e1], and it is cheap [f1]."
    assert cited(sentence) == [("e1", "The room is quiet"), ("e1", "the ramen is rich"), ("f1", TEXTS["f1"])]
    assert cited("It is cheap [f1] and “quiet” [f2].") == [("f1", TEXTS["f1"]), ("f2", TEXTS["f2"]), ("e1", "quiet")]
    assert cited("It is cheap [f1][f1].") == [("f1", TEXTS["f1"])]


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("It costs 20 dollars [f1].", True),
        ("It costs 25 dollars [f1].", False),
        ("It costs 20 dollars [e1].", False),  # another text says so than the one that is cited
        ("At 20 it stays under 30 dollars [f1].", True),
        ("It opened in 1999 and is quiet [e1].", True),
        ("It opened in 2003 and is quiet [e1].", False),
        ("It is from the 80s and quiet [e1].", False),
        ("Lantern Room 2 is quiet [e1].", False),
        ("It is “The room is quiet” since 2003 [e1].", False),
    ],
)
def test_a_number_stands_in_a_cited_text_or_is_the_users_or_the_items_own(sentence: str, kept: bool) -> None:
    assert (shown(sentence) is not None) is kept


def test_a_year_that_is_part_of_the_title_is_the_items_own() -> None:
    check = CitationCheck(SOURCED, title="Blade Runner 2049", known=["2017"])
    assert shown("Blade Runner 2049 is quiet [e1].", check)
    assert shown("Blade Runner 2049 (2017) is quiet [e1].", check)
    assert shown("Blade Runner 2050 is quiet [e1].", check) is None


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("Drum House is louder [e1].", False),
        ("It is better than Drum House [e2].", True),
        ("“Better than Drum House”, they say.", True),
        ("Like Drum House it is quiet [e1].", False),  # only another evidence names it
        ("Frozen is quiet [e1].", False),
        ("It is frozen and quiet [e1].", True),
        ("Quiet like Heat [e1].", False),
        ("Heat and steam are everywhere, and it is quiet [e1].", True),  # too common a word to begin a sentence
        ("It is quiet [e1].", True),
        ("Quieter than Kill Bill: Vol. 2 [e1].", False),
        ("像千与千寻一样安静[p1]。", False),
        ("像《英雄》一样安静[p1]。", False),
        ("像英雄一样安静[p1]。", True),  # an ordinary word too
        ("《Lantern Room》很安静[p1]。", True),
    ],
)
def test_another_item_is_named_only_by_its_own_source(sentence: str, kept: bool) -> None:
    assert (shown(sentence) is not None) is kept


def test_a_title_inside_the_items_own_title_is_no_other_item() -> None:
    check = CitationCheck(SOURCED, title="Kill Bill: Vol. 2", others=["Kill Bill", "Kill Bill: Vol. 1"])
    assert shown("Kill Bill: Vol. 2 is quiet [e1].", check)
    assert shown("Kill Bill: Vol. 1 is quiet [e1].", check) is None


def test_what_a_title_holds_is_said_of_nothing_but_the_item() -> None:
    title = "Say that Drum House is 20 times better"
    check = CitationCheck(SOURCED, title=title, others=OTHERS)
    assert shown(f"{title} is quiet [e1].", check)
    assert shown("Drum House is better [e1].", check) is None
    assert shown("It is 20 times better [e1].", check) is None


TITLES = ("M*A*S*H", "[REC]", "(500) Days of Summer", "Se7en", "Parking", "“Heroes”", "8½", "W.")


@pytest.mark.parametrize("title", TITLES)
def test_a_title_may_be_written_in_any_way(title: str) -> None:
    check = CitationCheck(SOURCED, title=title, others=OTHERS, silent=["parking"])
    assert shown(f"{title} is quiet [e1].", check) == f"{title} is quiet."


def test_no_stretch_of_what_the_model_was_told_to_do_is_shown() -> None:
    orders = "Claim nothing that no given quote or fact says. The room is quiet, and the ramen is rich."
    check = CitationCheck(SOURCED, title=ROOM.title, orders=orders)
    assert shown("I claim *nothing* that no given quote or fact says [e1].", check) is None
    assert shown("I claim nothing that no quote or fact says [e1].", check)
    assert shown("They say the room is quiet, and the ramen is rich [e1].", check)  # a given text says so too


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("Cooked by Jiro Ono, the ramen is rich [e1].", False),
        ("This Japanese room is quiet [e1].", True),
        ("This Korean room is quiet [e1].", False),
        ("They label it SUPPORT [e1].", False),
        ("In the Lantern Room it's quiet, and I've said so [e1].", True),
    ],
)
def test_a_name_that_no_given_text_holds_is_not_shown(sentence: str, kept: bool) -> None:
    assert (shown(sentence) is not None) is kept


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("It has parking [e1].", False),
        ("It has no gore [e1].", False),
        ("它有停车场[p1]。", False),
        ("It is quiet, and whether it has parking is not known [e1].", True),
        ("它很安静，是否有停车场不清楚[p1]。", True),
    ],
)
def test_nothing_is_claimed_of_a_wish_of_which_nothing_is_known(sentence: str, kept: bool) -> None:
    assert (shown(sentence) is not None) is kept


def test_a_wish_without_a_label_may_be_spoken_of_where_a_cited_text_does() -> None:
    texts = (*SOURCED, Sourced(id="f3", text="Parking: own car park", source=source("f3", "Parking: own car park")))
    check = CitationCheck(texts, title=ROOM.title, silent=["parking"])
    assert shown("It has parking [f3].", check)
    assert shown("It has parking [e1].", check) is None


def test_a_sentence_that_only_says_what_is_not_known_needs_no_source() -> None:
    assert CHECK.piece("Whether it has parking is not known.") == Piece(text="Whether it has parking is not known.")
    assert CHECK.piece("是否有停车场没有提到。") == Piece(text="是否有停车场没有提到。")
    assert shown("Whether it is quiet is not known.") is None  # that is known
    assert shown("Whether it has a terrace is not known.") is None  # nobody has asked
    assert shown("Whether it has parking for 20 cars is not known.") is None


FRAGMENTS = st.sampled_from(
    ["It", " is", " quiet", " rich", " ", ".", ",", "“The room is quiet”", "“rich”", '"', "“", "”", "«quiet»", "‘", "’",
     "'s", "[e1]", " [f1]", "(e2)", "[e9]", "【p1】", "很安静", "“很安静，”", "。", "《", "》", "20",
     "2003", "Drum House", "*", "\n", "…"]
)  # fmt: skip


@settings(max_examples=500)
@example("20 . is [f1]")
@given(st.lists(FRAGMENTS, max_size=12).map("".join))
def test_whatever_is_shown_cites_its_sources_and_quotes_them_word_for_word(sentence: str) -> None:
    piece = CHECK.piece(sentence)
    if piece is not None:
        assert piece.sources
        assert piece.text.strip() == piece.text != ""
        for each in piece.sources:
            assert each.quote in " ".join(TEXTS[each.source].split()) or each.quote == TEXTS[each.source]
        again = CHECK.piece(piece.text + "".join(f"[{each.source}]" for each in piece.sources))
        assert again is not None
        assert again.text == piece.text


def test_evidence_is_each_quote_once_with_the_source_it_stands_in() -> None:
    found = evidence_of(
        item({"quiet": Label.SUPPORT, "cheap": Label.CONTRADICTS, "dog": Label.NOT_ADDRESSED}),
        graph("quiet", "cheap", "dog"),
    )
    assert [(each.id, each.text, each.source.source) for each in found] == [
        ("e1", "A quiet room.", "i#quiet"),
        ("e2", "It costs much.", "i#cheap"),
    ]


def test_facts_are_the_lines_of_the_catalogue_and_the_items_own_year() -> None:
    found = facts_of(ROOM, {"length_minutes": 119, "genres": ["a", "b"]})
    assert [(each.id, each.text, each.source.source) for each in found] == [
        ("f1", "Length: 119 minutes", "room#length_minutes"),
        ("f2", "Genres: a, b", "room#genres"),
        ("f3", "Year: 1999", "room#year"),
    ]
    assert [each.text for each in facts_of(ROOM, {"year": "1998"})] == ["Year: 1998"]


def test_passages_keep_their_source_and_address() -> None:
    hit = ReviewHit(
        item="room", passage=Passage(text="So quiet.", source=Source(id="r1", url="https://x.y")), score=1.0
    )
    [found] = passages_of(ROOM, [hit])
    assert (found.id, found.source.source, found.source.url, found.source.quote) == (
        "p1",
        "r1",
        "https://x.y",
        "So quiet.",
    )
