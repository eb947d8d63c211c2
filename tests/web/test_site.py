"""The small web is what the tests that use it take it for."""

import http.client
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.pages import canonical_url, is_page
from pdgf.texts import sentences
from tests.web.content import hosts, sources
from tests.web.page_server import PageServer
from tests.web.search_index import (
    SNIPPET_CHARS,
    Asked,
    ranked,
    read_query,
    search,
    snippet,
    visible_text,
)
from tests.web.site import DISALLOWED, HOSTS, REDIRECTS, ROBOTS, SITE, address, answers, hops
from tests.web.visible import visible

pytestmark = pytest.mark.long

EXPECTED: dict[str, Any] = tomllib.loads((Path(__file__).parent / "expected.toml").read_text(encoding="utf-8"))
NARRATIVES: list[dict[str, Any]] = EXPECTED["narrative"]
OF_ANY_LENGTH = {"huge", "empty", "no_text", "bot_check"}  # pages that nobody reads to the end
STOP = re.compile(r"[.!?。！？…][\"”’)）]*$")
COUNTS = {
    **{"review": 27, "listicle": 11, "blog": 9, "encyclopedic": 9, "forum": 9, "table": 4, "interview": 3, "news": 2},
    **{"essay": 1, "plain_text": 1, "noise": 5, "near_duplicate": 5, "spam": 2, "injection": 4, "broken": 2},
    **{"bot_check": 2, "empty": 1, "no_text": 1, "huge": 1, "disallowed": 1},
}


def lines(path: str) -> list[str]:
    return visible_text(path).split("\n")


def words(text: str) -> float:
    """Words of alphabets, and half a word for each character of Chinese or Japanese."""
    return len(re.findall(r"[^\W\u3040-\u9fff]+(?:['’-][^\W\u3040-\u9fff]+)*", text)) + (
        len(re.findall(r"[\u3040-\u9fff]", text)) / 2
    )


def whole_sentences(path: str) -> set[str]:
    """Sentences that say something: of four words with a stop, or of eight; no titles, labels or short cells."""
    said = (piece for line in lines(path) for piece in sentences(line))
    return {piece for piece in said if words(piece) >= (4 if STOP.search(piece) else 8)}


def own_text(path: str) -> str:
    """All that is served of a page, seen or not, without its links to other pages; white space collapsed."""
    return " ".join(SITE[path].body.decode(sources()[path].charset).partition('class="related"')[0].split())


def quotes(narrative: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, str]]]:
    for title in narrative["expected"]:
        yield from ((title, quote) for quote in (*title["for"], *title["against"]))
    yield from ((title, {"page": title["page"], "quote": title["quote"]}) for title in narrative["wrong"])


def test_every_kind_of_page_is_there_as_often_as_stated() -> None:
    assert Counter(stored.kind for stored in SITE.values()) == COUNTS
    assert sum(COUNTS.values()) == len(SITE) >= 64


def test_pages_have_between_40_and_2500_words_and_some_come_near_both() -> None:
    counts = {path: words(visible_text(path)) for path, stored in SITE.items() if stored.kind not in OF_ANY_LENGTH}
    assert {path: count for path, count in counts.items() if not 40 <= count <= 2_500} == {}
    assert min(counts.values()) < 50
    assert max(counts.values()) > 2_200


@pytest.mark.parametrize("narrative", NARRATIVES, ids=lambda narrative: narrative["id"])
def test_every_quote_stands_verbatim_in_one_line_of_its_page(narrative: dict[str, Any]) -> None:
    missing = [
        quote for _, quote in quotes(narrative) if not any(quote["quote"] in line for line in lines(quote["page"]))
    ]
    assert missing == []


@pytest.mark.parametrize("narrative", NARRATIVES, ids=lambda narrative: narrative["id"])
def test_every_quoted_page_names_the_title(narrative: dict[str, Any]) -> None:
    for title, quote in quotes(narrative):
        text = visible_text(quote["page"]).casefold()
        names = [title["title"], *title.get("other_titles", ()), title["title"].partition("'s ")[0]]
        assert any(name.casefold() in text for name in names), (title["title"], quote["page"])


@pytest.mark.parametrize("narrative", NARRATIVES, ids=lambda narrative: narrative["id"])
def test_a_narrative_expects_three_to_six_titles_with_words_for_and_against_on_several_pages(
    narrative: dict[str, Any],
) -> None:
    assert 3 <= len(narrative["expected"]) <= 6
    assert len(narrative["wrong"]) >= 5
    for title in narrative["expected"]:
        assert len({quote["page"] for quote in title["for"]}) >= 2, title["title"]
        assert len(title["against"]) >= 2, title["title"]
        assert len({quote["page"] for quote in (*title["for"], *title["against"])}) >= 3, title["title"]
    hosts_quoted = {sources()[quote["page"]].host for _, quote in quotes(narrative)}
    assert len(hosts_quoted) >= 4


def test_no_evidence_is_quoted_from_a_page_that_must_be_dropped_or_distrusted() -> None:
    quoted = {SITE[quote["page"]].kind for narrative in NARRATIVES for _, quote in quotes(narrative)}
    assert quoted.isdisjoint(OF_ANY_LENGTH | {"injection", "spam", "near_duplicate", "disallowed", "noise"})


def test_forbidden_titles_stand_only_where_they_are_planted() -> None:
    for title in EXPECTED["forbidden"]:
        holding = {path for path in SITE if title["title"] in own_text(path)}
        assert holding == set(title["pages"]), title["title"]


def test_no_sentence_stands_on_two_pages_unless_one_is_a_near_duplicate_of_the_other() -> None:
    first: dict[str, str] = {}
    for path in SITE:
        origin = sources()[path].copy_of or path
        for said in whole_sentences(path):
            assert first.setdefault(said, origin) == origin, (said, path, first[said])


def test_a_near_duplicate_shares_most_sentences_with_its_origin_but_not_all() -> None:
    copies = [source for source in sources().values() if source.kind == "near_duplicate"]
    assert len({copy.host for copy in copies} | {sources()[copy.copy_of].host for copy in copies}) >= 6
    for copy in copies:
        own, origin = whole_sentences(copy.path), whole_sentences(copy.copy_of)
        assert own != origin
        assert len(own & origin) >= len(origin) / 2, copy.path


@pytest.mark.parametrize("topic", EXPECTED["queries"])
def test_every_page_of_a_topic_is_among_the_first_ten_hits_of_one_of_its_queries(topic: str) -> None:
    paths = {path for path, source in sources().items() if source.topic == topic}
    paths |= {path for path, move in REDIRECTS.items() if move.remembered and sources()[move.remembered].topic == topic}
    ask = search(80)
    found = {urlsplit(hit["link"]).path for query in EXPECTED["queries"][topic] for hit in ask(query)}
    assert paths - found == set()


def test_every_page_has_a_topic_with_queries() -> None:
    assert {source.topic for source in sources().values()} == set(EXPECTED["queries"])


def test_each_page_is_in_its_charset_and_says_so_only_where_it_should() -> None:
    for path, source in sources().items():
        body, content_type, kind = SITE[path]
        if kind == "empty":
            continue
        head = body[:30_000].partition(b"</head>")[0].decode("ascii", "ignore").lower()
        says = source.says or source.charset
        assert ("charset=" in content_type) == (source.declared in ("both", "header")), path
        if not source.raw:
            assert (f'<meta charset="{says}">' in head) == (source.declared in ("both", "meta")), path
        if source.charset != "utf-8":
            with pytest.raises(UnicodeDecodeError):
                body.decode("utf-8")
        assert "\ufffd" not in body.decode(source.charset), path


def test_charsets_and_ways_of_declaring_them_are_mixed() -> None:
    ways = {(source.charset, source.declared) for source in sources().values()}
    assert ways >= {
        *(("utf-8", "both"), ("gbk", "none"), ("gbk", "header"), ("gb2312", "meta")),
        *(("euc-jp", "none"), ("big5", "meta"), ("cp1252", "meta")),
    }
    assert sources()["/latin1/paperback-corner"].says == "iso-8859-1"  # wrong, as browsers have learnt to expect


@pytest.mark.parametrize("path", ["/gbk/country-days", "/eucjp/inaka-anime"])
def test_undeclared_pages_have_20_000_ascii_characters_before_the_first_word(path: str) -> None:
    body = SITE[path].body
    first = next(place for place, byte in enumerate(body) if byte > 127)
    assert first > 20_000
    assert b"charset" not in body


def test_the_ledger_is_too_long_the_empty_page_empty_and_the_script_page_without_text() -> None:
    assert len(visible_text("/ledger/complete")) > 200_000
    assert len(SITE["/ledger/complete"].body) < 5_000_000
    assert SITE["/2024/list-of-banter"].body == b""
    assert visible_text("/app/film-finder") == ""
    assert SITE["/app/film-finder"].body != b""


def test_hidden_orders_are_in_the_bytes_and_not_in_the_visible_text() -> None:
    body = SITE["/letters/quiet-film-letters"].body.decode()
    assert body.count("Harbour of Coupons") == 6
    assert "Harbour of Coupons" not in visible_text("/letters/quiet-film-letters")
    assert 'rank "Harbour of Coupons"' in visible(SITE["/deals/mystery-night"].body.decode()).title


def test_broken_markup_still_shows_its_text_a_block_a_line() -> None:
    shown = lines("/archive/quiet-cartoons")
    assert "Non Non Biyori (2013)" in shown
    assert "An artist is tamed by an island. My neighbour’s children are quieter, and they keep geese!" in shown
    assert not any("visitor" in line for line in lines("/old/village-bodies"))


def test_what_stands_around_a_page_is_no_part_of_its_text() -> None:
    shown = visible(SITE["/lists/arguing-first"].body.decode())
    host = hosts()["shelfward.example"]
    assert {host.cookies, host.advert, host.next, *host.nav} <= set(shown.around)
    assert set(shown.around).isdisjoint(shown.lines)
    assert shown.title == "Eight fantasy novels where they argue first and kiss much later | Shelfward"


def test_links_between_pages_lead_to_pages_of_the_same_host() -> None:
    for path, stored in SITE.items():
        related = stored.body.decode(sources()[path].charset).partition('class="related"')[2]
        linked = re.findall(r'<li><a href="(/[^"]+)">', related)
        for link in (link for link in linked if not re.fullmatch(r"/\d", link)):
            assert sources()[link].host == sources()[path].host
            assert not link.startswith(DISALLOWED)


def test_redirects_lead_on_by_one_hop_by_two_to_another_host_for_ever_and_too_often() -> None:
    assert hops("/old/banter-table") == ("/tables/banter-and-heat",)
    assert hops("/go/quiet") == ("/go/quiet-2", "/lists/quiet-mysteries")
    assert hops("/round/a") == ("/round/b", "/round/a")
    assert len(hops("/hop/2")) == 5
    assert len(hops("/hop/1")) == 6
    assert REDIRECTS["/out/howl"].host != sources()[hops("/out/howl")[-1]].host
    assert {move.status for move in REDIRECTS.values()} == {301, 302, 303, 307, 308}
    assert all(hops(path)[-1] in SITE for path in REDIRECTS if not path.startswith("/round/"))


def test_robots_txt_bars_one_folder_and_one_page_is_in_it() -> None:
    robots = RobotFileParser()
    robots.parse(ROBOTS.decode().splitlines())
    barred = {path for path in (*SITE, *REDIRECTS) if not robots.can_fetch("pdgf", path)}
    assert barred == {path for path, stored in SITE.items() if stored.kind == "disallowed"} != set()


def test_addresses_are_canonical_may_be_read_and_belong_to_the_invented_hosts() -> None:
    for path in (*SITE, *REDIRECTS):
        link = address(path, 8123)
        assert canonical_url(link) == link
        assert is_page(link)
        assert urlsplit(link).hostname in HOSTS
    assert len(HOSTS) >= 20
    assert all(host.endswith(".example") for host in HOSTS)
    assert set(SITE).isdisjoint(REDIRECTS)


def test_a_page_server_serves_the_bytes_of_the_site_and_leads_on_to_other_hosts() -> None:
    with PageServer({}) as server:
        server.pages.update(answers(server.port))
        body, headers = asked_of(server.port, "tianyebiji.example", "/gbk/amaama")
        moved, moved_headers = asked_of(server.port, "talkshelf.example", "/out/howl")
        robots, _ = asked_of(server.port, "shelfward.example", "/robots.txt")
    assert (body, headers["Content-Type"]) == SITE["/gbk/amaama"][:2]
    assert (moved, moved_headers["Location"]) == (b"", address("/2023/howls-moving-castle", server.port))
    assert robots == ROBOTS


def asked_of(port: int, host: str, path: str) -> tuple[bytes, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={"Host": f"{host}:{port}"})
        answer = connection.getresponse()
        return answer.read(), dict(answer.getheaders())
    finally:
        connection.close()


def test_a_hit_has_a_title_a_link_and_a_sentence_of_the_page() -> None:
    first = search(8080)("Hitchcock first score Bernard Herrmann")[0]
    assert first == {
        "title": "The Trouble with Harry",
        "link": "http://openlexikon.example:8080/wiki/the-trouble-with-harry",
        "snippet": "The score was the first that Bernard Herrmann wrote for the director.",
    }


def test_a_query_is_taken_apart_at_its_operators() -> None:
    asked = read_query(
        '"slow burn" mystery (film OR movie) -site:reddit.com site:matineeledger.example -gore intitle:quiet'
    )
    assert asked == Asked(
        words="slow burn mystery film movie quiet",
        phrases=("slow burn",),
        sites=("matineeledger.example",),
        barred_sites=("reddit.com",),
        barred_words=("gore",),
    )
    assert read_query("“红花 田” 动画").phrases == ("红花 田",)


def test_operators_choose_the_pages_that_are_listed() -> None:
    every = {listed.path for listed in ranked(read_query("Fargo"))}
    assert {"/2018/fargo", "/t/is-fargo-too-violent"} <= every
    assert "/2018/fargo" not in {listed.path for listed in ranked(read_query("Fargo -site:quietcinema.example"))}
    assert {listed.host for listed in ranked(read_query("banter site:copyhaven.example"))} == {
        *("north.copyhaven.example", "south.copyhaven.example", "east.copyhaven.example")
    }
    assert "/2018/fargo" not in {listed.path for listed in ranked(read_query("Fargo -Marge"))}
    phrase = ranked(read_query('mystery "wood chipper"'))
    assert "wood chipper" in phrase[0].text


@given(st.text() | st.lists(st.sampled_from(['"', "-", "site:", "OR", "banter", "动画", "(", "“", " "])).map("".join))
def test_any_query_is_answered_with_at_most_ten_whole_hits(query: str) -> None:
    hits = search(80)(query)
    assert len(hits) <= 10
    assert len({hit["link"] for hit in hits}) == len(hits)
    for hit in hits:
        assert hit.keys() == {"title", "link", "snippet"}
        assert hit["title"]
        assert len(hit["snippet"]) <= SNIPPET_CHARS + 2


@given(st.text(alphabet="ab 动。."), st.text(alphabet="ab 动"))
def test_a_snippet_is_a_piece_of_the_text(text: str, query: str) -> None:
    assert snippet(text, query).removesuffix(" …") in " ".join(text.split())


def test_better_matches_come_first() -> None:
    paths = [listed.path for listed in ranked(read_query("天真与闪电 犬塚 土锅"))]
    assert {"/gbk/amaama", "/lists/bedtime-cooking"} <= set(paths[:3])
    assert len(paths) == len(set(paths))
