"""The Picks tab: marks, quotes, facts and buttons, and that no text becomes markup."""

from html.parser import HTMLParser
from typing import Any

import pytest

from dialogue.ui.cards import Shelf, cards_of, facts_of, label_of, render_cards
from dialogue.ui.texts import page_texts
from pdgf.models import Label, Node, Polarity, PreferenceGraph

TEXTS = page_texts()
GRAPH = PreferenceGraph(
    narrative="",
    nodes=(
        Node(id="n0", atom="a", perspective="genre", instantiation="fantasy"),
        Node(id="n1", atom="a", perspective="tone", instantiation="banter"),
        Node(id="n2", atom="a", perspective="tone", instantiation="bleak", polarity=Polarity.AVOID),
    ),
    order=("n0", "n1", "n2"),
)


def item(title: str = "The Lantern Road", year: int | None = 2011, **more: Any) -> dict[str, Any]:
    return {
        "id": f"film-{title}-{year}",
        "title": title,
        "year": year,
        "demoted": None,
        "unknown": [],
        "metadata": {},
        "paths": [],
        "evidence": [],
        **more,
    }


def evidence(node: str, label: Label, quote: str, url: str | None = None) -> dict[str, Any]:
    return {"node": node, "text": quote, "quote": quote, "label": label.value, "sources": [{"id": "s", "url": url}]}


def elements(html: str) -> list[tuple[str, dict[str, str | None]]]:
    found: list[tuple[str, dict[str, str | None]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, dict(attrs)))

    Reader().feed(html)
    return found


def test_each_wish_stands_under_exactly_one_mark() -> None:
    picks = [item(evidence=[evidence("n0", Label.SUPPORT, "q"), evidence("n2", Label.CONTRADICTS, "grim")])]
    (card,) = cards_of(Shelf(graph=GRAPH, items=picks), TEXTS)
    assert card.marks == (
        (Label.SUPPORT, ("fantasy",)),
        (Label.CONTRADICTS, ("not bleak",)),
        (Label.NOT_ADDRESSED, ("banter",)),
    )


def test_a_mark_is_a_word_and_an_icon() -> None:
    html = render_cards(Shelf(graph=GRAPH, items=[item(evidence=[evidence("n0", Label.SUPPORT, "q")])]), TEXTS)
    assert "</svg>supports</span>" in html
    assert "</svg>not mentioned</span>" in html


def test_an_items_own_record_decides_its_mark() -> None:
    path = {"node": "n2", "labels": {"n2": "SUPPORT", "n0": "SUPPORT"}}
    assert label_of(item(evidence=[evidence("n0", Label.CONTRADICTS, "q")], paths=[path]), "n0") is Label.CONTRADICTS


def test_a_wish_without_a_record_takes_the_best_that_another_record_says_of_it() -> None:
    paths = [{"node": "n1", "labels": {"n1": "SUPPORT", "n0": "PARTIAL"}}, {"node": "n2", "labels": {"n0": "SUPPORT"}}]
    assert label_of(item(paths=paths), "n0") is Label.SUPPORT
    assert label_of(item(paths=paths), "n1") is Label.NOT_ADDRESSED


def test_quotes_are_shown_word_for_word_supporting_ones_first() -> None:
    found = [evidence("n2", Label.CONTRADICTS, "Grim."), evidence("n0", Label.SUPPORT, "Magic & mud.")]
    (card,) = cards_of(Shelf(graph=GRAPH, items=[item(evidence=found)]), TEXTS)
    assert [quote.text for quote in card.quotes] == ["“Magic & mud.”", "“Grim.”"]


def test_wishes_that_share_a_quote_share_its_entry() -> None:
    found = [evidence("n0", Label.SUPPORT, "same"), evidence("n1", Label.SUPPORT, "same")]
    (card,) = cards_of(Shelf(graph=GRAPH, items=[item(evidence=found)]), TEXTS)
    assert [quote.wishes for quote in card.quotes] == [("fantasy", "banter")]


def test_what_is_silent_is_not_quoted() -> None:
    (card,) = cards_of(Shelf(graph=GRAPH, items=[item(evidence=[evidence("n0", Label.NOT_ADDRESSED, "q")])]), TEXTS)
    assert card.quotes == ()


def test_buttons_speak_for_the_visitor_and_name_their_title() -> None:
    html = render_cards(Shelf(graph=GRAPH, items=[item()]), TEXTS)
    buttons = [given for tag, given in elements(html) if tag == "button"]
    assert [given.get("data-say") or given.get("data-ask") for given in buttons] == [
        "I'll take The Lantern Road",
        "Not for me: The Lantern Road",
        "About The Lantern Road: ",
        "I've seen The Lantern Road",
    ]
    assert all("The Lantern Road" in str(given["aria-label"]) for given in buttons)


def test_equal_titles_are_told_apart_by_year() -> None:
    picks = [item("Dune", 1984), item("Dune", 2021), item("Us")]
    names = [card.name for card in cards_of(Shelf(graph=GRAPH, items=picks), TEXTS)]
    assert names == ["Dune (1984)", "Dune (2021)", "Us"]


def test_an_accepted_pick_is_marked_and_cannot_be_accepted_again() -> None:
    html = render_cards(Shelf(graph=GRAPH, items=[item()], accepted=[item()["id"]]), TEXTS)
    assert "Accepted" in html
    assert "I&#39;ll take" not in html


def test_the_reason_of_a_demotion_and_what_could_not_be_checked_are_said() -> None:
    html = render_cards(Shelf(graph=GRAPH, items=[item(demoted="too long: 190 minutes", unknown=["vegan"])]), TEXTS)
    assert "<strong>Listed last:</strong> too long: 190 minutes" in html
    assert "<strong>Could not check:</strong> vegan" in html


def test_facts_are_words_in_the_order_asked_for() -> None:
    some = {"director": ["A", "B"], "length_minutes": 104, "wifi": True}
    metadata = {**some, "parking": False, "genres": [], "gore": "mild"}
    keys = ["length_minutes", "director", "parking", "genres", "wifi", "gore", "missing"]
    assert facts_of(metadata, keys, TEXTS) == ("104 min", "A, B", "wifi", "mild gore")


def test_a_number_of_a_catalogue_of_ones_own_stands_under_the_name_of_its_column() -> None:
    metadata = {"players": "2-4", "playing time": "45 min", "weight": 2.3, "pool": "是", "garden": "no"}
    expected = ("Players: 2-4", "45 min", "Weight: 2.3", "pool")
    assert facts_of(metadata, ("players", "playing time", "weight", "pool", "garden"), TEXTS) == expected


def test_only_web_pages_are_linked() -> None:
    found = [
        evidence("n0", Label.SUPPORT, "one", "https://example.org/one"),
        evidence("n1", Label.SUPPORT, "two", "javascript:alert(1)"),
    ]
    html = render_cards(Shelf(graph=GRAPH, items=[item(evidence=found)]), TEXTS)
    assert [given["href"] for tag, given in elements(html) if tag == "a"] == ["https://example.org/one"]


def test_no_text_of_an_item_becomes_markup() -> None:
    hostile = "\"'><img src=x onerror=alert(1)><script>alert(1)</script>{{1+1}}${2+2}"
    graph = GRAPH.model_copy(update={"nodes": (GRAPH.nodes[0].model_copy(update={"instantiation": hostile}),)})
    pick = item(
        hostile,
        demoted=hostile,
        unknown=[hostile],
        metadata={"director": [hostile]},
        evidence=[evidence("n0", Label.SUPPORT, hostile, f"https://x/{hostile}")],
    )
    found = elements(render_cards(Shelf(graph=graph, items=[pick], facts=["director"]), TEXTS))
    assert not {tag for tag, _ in found} & {"img", "script"}
    assert not [name for _, given in found for name in given if name.startswith("on")]


def test_the_marks_of_the_turn_decide_where_there_are_any() -> None:
    pick = item(evidence=[evidence("n0", Label.SUPPORT, "q")])
    marks = {pick["id"]: {"n0": "partly", "n1": "silent", "n2": "contradicts"}}
    (card,) = cards_of(Shelf(graph=GRAPH, items=[pick], marks=marks), TEXTS)
    assert card.marks == (
        (Label.PARTIAL, ("fantasy",)),
        (Label.CONTRADICTS, ("not bleak",)),
        (Label.NOT_ADDRESSED, ("banter",)),
    )


def test_several_picks_can_be_ticked_to_be_compared_and_one_alone_cannot() -> None:
    picks = [item("Dune", 1984), item("Dune", 2021), item("Us")]
    found = elements(render_cards(Shelf(graph=GRAPH, items=picks), TEXTS))
    ticks = [given for tag, given in found if given.get("class") == "tick"]
    assert [given["value"] for given in ticks] == ["Dune (1984)", "Dune (2021)", "Us"]
    assert ticks[0]["aria-label"] == "Compare Dune (1984) with others"
    assert "data-compare" not in render_cards(Shelf(graph=GRAPH, items=[item()]), TEXTS)


@pytest.mark.parametrize(
    ("domain", "word", "said"),
    [
        ("movies", "Seen it", "I've seen Us"),
        ("books", "Read it", "I've read Us"),
        ("restaurants", "Been there", "I've been to Us"),
        ("games", "Seen it", "I've seen Us"),
    ],
)
def test_a_pick_can_be_said_to_be_known_in_the_words_of_its_domain(domain: str, word: str, said: str) -> None:
    html = render_cards(Shelf(graph=GRAPH, items=[item("Us")], domain=domain), TEXTS)
    assert f">{word}</button>" in html
    assert said in [given.get("data-say") for _, given in elements(html)]


CHINESE = page_texts("zh")


def test_the_chinese_page_calls_a_pick_as_its_readers_know_it_and_tells_its_facts_in_their_words() -> None:
    metadata = {
        "other_titles": ["デューン", "沙丘"],
        "director": ["David Lynch"],
        "genres": ["science fiction", "space opera", "dieselpunk"],
        "country": ["United States"],
        "suitable_from_age": 0,
        "wheelchair_access": True,
    }
    keys = ("director", "genres", "country", "suitable_from_age", "wheelchair_access")
    quoted = [evidence("n0", Label.SUPPORT, "Genres: fantasy"), evidence("n1", Label.SUPPORT, "They quarrel kindly.")]
    shelf = Shelf(graph=GRAPH, items=[item("Dune", 1984, metadata=metadata, evidence=quoted)], facts=keys)
    (card,) = cards_of(shelf, CHINESE)
    assert (card.known_as, card.title, card.name) == ("沙丘", "Dune", "沙丘")
    assert card.facts == ("David Lynch", "科幻、太空歌剧、dieselpunk", "美国", "老少皆宜", "轮椅通道")
    assert [quote.text for quote in card.quotes] == ["类型：奇幻", "“They quarrel kindly.”"]
    (english,) = cards_of(shelf, TEXTS)
    assert (english.known_as, english.facts[1]) == ("", "science fiction, space opera, dieselpunk")
    assert english.facts[3] == "for all ages"


def test_a_condition_that_is_broken_is_told_in_chinese() -> None:
    broken = item(demoted="Length: 150 minutes (you asked for under two hours)")
    (card,) = cards_of(Shelf(graph=GRAPH, items=[broken]), CHINESE)
    assert card.demoted is not None
    assert card.demoted.startswith("长度：150分钟")


def test_what_was_written_is_quoted_before_what_is_only_listed_and_chinese_first_on_the_chinese_page() -> None:
    def said(node: str, quote: str, source: str) -> dict[str, Any]:
        return {**evidence(node, Label.SUPPORT, quote), "sources": [{"id": source, "url": None}]}

    found = [
        said("n0", "Genres: fantasy", "film#genres"),
        said("n1", "They quarrel kindly.", "film#r2"),
        evidence("n2", Label.CONTRADICTS, "Grim."),
    ]
    shelf = Shelf(graph=GRAPH, items=[item(evidence=found)])
    (english,), (chinese,) = cards_of(shelf, TEXTS), cards_of(shelf, CHINESE)
    assert [quote.text for quote in english.quotes] == ["“They quarrel kindly.”", "“Genres: fantasy”", "“Grim.”"]
    assert [quote.text for quote in chinese.quotes] == ["类型：奇幻", "“They quarrel kindly.”", "“Grim.”"]


def test_a_card_shows_the_first_quote_and_holds_each_of_them() -> None:
    found = [evidence(f"n{number}", Label.SUPPORT, f"quote {number}") for number in range(3)]
    html = render_cards(Shelf(graph=GRAPH, items=[item(evidence=found)]), TEXTS)
    summary, _, opened = html.partition("</summary>")
    assert [f"“quote {number}”" in summary for number in range(3)] == [True, False, False]
    assert "3 quotes" in summary
    assert all(f"<p>“quote {number}”</p>" in opened for number in range(3))


def test_the_buttons_of_a_chinese_page_name_an_item_as_its_readers_know_it() -> None:
    alien, other = ({"other_titles": ["Alien", name]} for name in ("异形", "异形"))
    picks = [item("Alien", 1979, metadata=alien), item("Heat", 1995)]
    assert [card.name for card in cards_of(Shelf(graph=GRAPH, items=picks), page_texts("zh"))] == ["异形", "Heat"]
    assert [card.name for card in cards_of(Shelf(graph=GRAPH, items=picks), TEXTS)] == ["Alien", "Heat"]
    twice = [item("Alien", 1979, metadata=alien), item("Alien Again", 2003, metadata=other)]
    names = [card.name for card in cards_of(Shelf(graph=GRAPH, items=twice), page_texts("zh"))]
    assert names == ["异形 (1979)", "异形 (2003)"]
