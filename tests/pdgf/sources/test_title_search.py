"""Titles that a model proposes lead to searches; a title is in the pool only through a page that bears it out."""

import asyncio
from collections.abc import Sequence

import pytest

from pdgf.errors import BudgetSpent, PageUnusable, SearchFailed
from pdgf.models import AtomKind, Dropped
from pdgf.ports import Found, ProposedTitle
from pdgf.sources.title_search import is_title, narrowest, query_of
from pdgf.sources.web import WebSource
from pdgf.usage import Budget
from tests.pdgf.graphs import graph_of
from tests.pdgf.sources.test_web import ToldSearch, texts
from tests.pdgf.sources.told_titles import (
    GRAPH,
    HERO,
    HERO_QUERY,
    HITS,
    ORDINARY,
    PAGES,
    QUERIES,
    REVIEW,
    TOLD_HERO,
    DatingAgent,
    Redirected,
    Turn,
    graph_naming,
    titles,
)


async def test_a_proposed_title_with_a_page_is_in_the_pool_with_a_quote_that_stands_there() -> None:
    turn = Turn(HERO)
    found = await turn.acquired()
    assert titles(found) == {"Salt House", "Local Hero"}
    assert texts(found)["Local Hero", "B"] == TOLD_HERO
    [evidence] = [each for each in found.evidence if each.text == TOLD_HERO]
    for passage in evidence.passages:
        assert passage.text in str(PAGES[str(passage.source.url)])
    assert turn.proposer.asked == [("", "film", 5)]
    assert turn.search.asked == ["qa", "qb", HERO_QUERY]
    assert found.dropped == ()


async def test_a_year_from_memory_is_searched_for_and_never_given_to_an_item() -> None:
    [hero] = [each for each in (await Turn(HERO).acquired()).candidates if each.title == "Local Hero"]
    assert hero.year is None


@pytest.mark.parametrize(
    "page",
    [
        PageUnusable(REVIEW, "status"),
        "A page about the sea: and nothing else.",
        "Local Hero\nis only named here.",
        "Another Film: better than Local Hero.",
    ],
)
async def test_a_proposed_title_that_no_page_bears_out_never_appears_and_is_told(page: str | Exception) -> None:
    found = await Turn(HERO, pages={**PAGES, REVIEW: page}).acquired()
    assert titles(found) == {"Salt House"}
    assert Dropped(what="Local Hero", why="title: no evidence") in found.dropped


async def test_a_proposed_title_that_no_search_finds_never_appears_and_is_told() -> None:
    turn = Turn(HERO, hits={"qa": [ORDINARY]})
    found = await turn.acquired()
    assert titles(found) == {"Salt House"}
    assert found.dropped == (Dropped(what="Local Hero", why="title: no evidence"),)
    assert turn.steps() == []


async def test_only_records_of_the_proposed_item_are_kept_of_its_page() -> None:
    page = f"Another Film: loud.\n{TOLD_HERO}\nThe Local Hero (1983): the same one.\nLocal Heroes: a song."
    found = await Turn(HERO, pages={**PAGES, REVIEW: page}).acquired()
    assert titles(found) == {"Salt House", "Local Hero"}
    assert texts(found)["Local Hero", "B"] == f"{TOLD_HERO}\nThe Local Hero (1983): the same one."


async def test_an_item_of_another_year_is_not_the_proposed_one() -> None:
    pages = {**PAGES, ORDINARY: "nothing", REVIEW: "Local Hero, 2019: the musical."}
    found = await Turn(HERO, pages=pages, agent=DatingAgent()).acquired()
    assert titles(found) == set()
    assert Dropped(what="Local Hero", why="title: no evidence") in found.dropped
    again = await Turn(HERO.model_copy(update={"year": None}), pages=pages, agent=DatingAgent(), hits={
        '"Local Hero" film review': [REVIEW]
    }).acquired()  # fmt: skip
    assert [(each.title, each.year) for each in again.candidates] == [("Local Hero", 2019)]


async def test_an_item_that_both_ways_find_is_one_with_the_evidence_of_both() -> None:
    pages = {**PAGES, ORDINARY: "Local Hero: good company."}
    found = await Turn(HERO, pages=pages).acquired()
    assert titles(found) == {"Local Hero"}
    assert texts(found) == {("Local Hero", "A"): "Local Hero: good company.", ("Local Hero", "B"): TOLD_HERO}


@pytest.mark.parametrize("kind", [AtomKind.REFERENCE, AtomKind.FEEDBACK])
async def test_a_title_that_the_narrative_names_is_not_searched_for(kind: AtomKind) -> None:
    turn = Turn(HERO, ProposedTitle(name="Brick"), graph=graph_naming("The Local Hero", kind))
    await turn.acquired()
    assert turn.search.asked == ["qa", "qb", '"Brick" film review']


@pytest.mark.parametrize("off", ["zero", "nobody"])
async def test_without_leave_or_a_proposer_nobody_is_asked(off: str) -> None:
    turn = Turn(HERO, known_titles=0 if off == "zero" else 5)
    source = WebSource(
        search=turn.search,
        reader=turn.reader,
        agent=turn.agent,
        item_word="film",
        proposer=None if off == "nobody" else turn.proposer,
    )
    found = await source.acquire(GRAPH, QUERIES, turn.config, turn.budget)
    assert titles(found) == {"Salt House"}
    assert found.dropped == ()
    assert turn.proposer.asked == []
    assert turn.search.asked == ["qa", "qb"]
    assert turn.budget.usage().agent_calls == 0


async def test_a_proposer_that_names_nothing_or_may_not_be_asked_leaves_the_same_list() -> None:
    plain = await Turn(known_titles=0).acquired()
    assert await Turn().acquired() == plain

    class Spent:
        async def propose_titles(
            self, narrative: str, item_word: str, limit: int, budget: Budget
        ) -> list[ProposedTitle]:
            raise BudgetSpent("tokens")

    turn = Turn()
    assert await turn.acquired(Spent()) == plain
    assert turn.search.asked == ["qa", "qb"]


async def test_proposals_are_asked_for_while_the_ordinary_searches_run() -> None:
    class Waiting(ToldSearch):
        """Answers its first search only after the titles were asked for."""

        async def search(self, queries: Sequence[str], *, language: str, budget: Budget) -> list[Found]:
            async with asyncio.timeout(5.0):
                while not turn.proposer.asked:  # noqa: ASYNC110 (there is nothing to be told by)
                    await asyncio.sleep(0)
            return await super().search(queries, language=language, budget=budget)

    turn = Turn(HERO, search=Waiting(HITS))
    assert "Local Hero" in titles(await turn.acquired())


async def test_the_first_readable_page_is_read_by_rank_and_no_other() -> None:
    urls = ["https://x.com/hero", "https://h.example/gone", "https://h.example/short", "https://h.example/long"]
    pages: dict[str, str | Exception | None] = {
        ORDINARY: "nothing",
        urls[1]: PageUnusable(urls[1], "status"),
        urls[2]: "Local Hero: short.",
        urls[3]: "Local Hero: " + "long " * 100,
    }
    turn = Turn(HERO, hits={"qa": [ORDINARY], HERO_QUERY: urls}, pages=pages)
    found = await turn.acquired()
    assert texts(found) == {("Local Hero", "B"): "Local Hero: short."}
    assert turn.reader.read_urls[1:] == urls[1:3]
    assert found.dropped == (Dropped(what=urls[1], why="page: status"),)


async def test_a_page_that_ends_at_social_media_is_none_and_no_more_results_are_tried_than_the_config_allows() -> None:
    urls = [f"https://h.example/{n}" for n in range(4)]
    ends = [ORDINARY, "https://x.com/hero", "https://x.com/too", REVIEW, REVIEW]
    turn = Turn(HERO, hits={"qa": [ORDINARY], HERO_QUERY: urls}, results_per_query=2)
    turn.reader = Redirected(dict(zip([ORDINARY, *urls], ends, strict=True)))
    found = await turn.acquired()
    assert turn.reader.read_urls[1:] == urls[:2]
    assert [(left.what, left.why) for left in found.dropped] == [(url, "page: redirects") for url in urls[:2]]
    turn = Turn(HERO, hits={"qa": [], HERO_QUERY: urls}, results_per_query=3)
    turn.reader = Redirected(dict(zip([ORDINARY, *urls], ends, strict=True)))
    assert texts(await turn.acquired()) == {("Local Hero", "B"): f"Local Hero: as told at {REVIEW}"}


async def test_a_page_without_a_text_is_passed_over() -> None:
    hits = {**HITS, HERO_QUERY: ["https://h.example/blank", REVIEW]}
    found = await Turn(HERO, hits=hits, pages={**PAGES, "https://h.example/blank": " \n"}).acquired()
    assert texts(found)["Local Hero", "B"] == TOLD_HERO
    assert found.dropped == (Dropped(what="https://h.example/blank", why="page: no_text"),)


async def test_a_page_that_is_too_long_is_passed_over_and_told() -> None:
    pages = {**PAGES, REVIEW: "Local Hero: " + "x" * 300, "https://h.example/2": TOLD_HERO}
    hits = {**HITS, HERO_QUERY: [REVIEW, "https://h.example/2"]}
    found = await Turn(HERO, hits=hits, pages=pages, max_page_chars=200).acquired()
    assert texts(found)["Local Hero", "B"] == TOLD_HERO
    assert found.dropped == (Dropped(what=REVIEW, why="page: too_long"),)


async def test_only_chunks_with_the_name_are_given_to_the_agent_and_only_for_the_narrowest_nodes() -> None:
    graph = graph_of("A>B A>C", names="ABCD")
    lines = [f"{n:03} " + "filler " * 12 for n in range(40)]
    lines[30] = TOLD_HERO
    turn = Turn(HERO, graph=graph, hits={HERO_QUERY: [REVIEW]}, pages={REVIEW: "\n".join(lines)}, chunk_size=400,
                chunk_overlap=50)  # fmt: skip
    found = await turn.acquired()
    assert {request.feature for request in turn.agent.requests} == {"wish for B", "wish for C", "wish for D"}
    assert all("Local Hero" in request.chunk for request in turn.agent.requests)
    assert set(texts(found)) == {("Local Hero", "B"), ("Local Hero", "C"), ("Local Hero", "D")}


async def test_titles_are_found_where_the_ordinary_search_finds_nothing() -> None:
    turn = Turn(HERO, hits={HERO_QUERY: [REVIEW]})
    assert titles(await turn.acquired()) == {"Local Hero"}
    assert turn.steps() == [("search_empty", "empty", 1)]


async def test_a_search_that_fails_for_everything_ends_the_proposals_too() -> None:
    turn = Turn(HERO, search=ToldSearch({}, failing=SearchFailed("told", "busy")))
    turn.proposer.gate = asyncio.Event()
    assert titles(await turn.acquired()) == set()
    assert turn.steps() == [("search", "busy", 1)]
    assert turn.search.asked == ["qa", "qb"]


async def test_a_search_that_fails_for_the_titles_alone_is_told_and_leaves_the_rest() -> None:
    class Once(ToldSearch):
        async def search(self, queries: Sequence[str], *, language: str, budget: Budget) -> list[Found]:
            if self.asked:
                raise SearchFailed("told", "credit")
            return await super().search(queries, language=language, budget=budget)

    turn = Turn(HERO, search=Once(HITS))
    found = await turn.acquired()
    assert titles(found) == {"Salt House"}
    assert found.dropped == (Dropped(what="Local Hero", why="title: no evidence"),)
    assert turn.steps() == [("search_titles", "credit", 1)]


def test_a_query_holds_the_name_as_a_phrase_the_year_if_known_and_the_word_for_the_item() -> None:
    assert query_of(ProposedTitle(name="Local Hero", year=1983), "film") == '"Local Hero" 1983 film review'
    assert query_of(ProposedTitle(name='The "Burbs"'), "film") == '"The Burbs" film review'


def test_the_narrowest_nodes_are_those_that_nothing_qualifies_further() -> None:
    assert narrowest(graph_of("A>B A>C B>D C>D A>D")) == ("D",)
    assert narrowest(graph_of("A>B", names="ABC")) == ("B", "C")


def test_a_record_is_the_title_when_key_and_known_years_agree() -> None:
    assert is_title(HERO, "the LOCAL hero", None)
    assert is_title(HERO, "Local Hero (1983)", 1983)
    assert not is_title(HERO, "Local Hero", 1984)
    assert not is_title(HERO, "Local Heroes", 1983)
