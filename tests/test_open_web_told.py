"""Requests over the small web with a language model, end to end: search, pages and model answer over real HTTP.

What the model makes of a narrative is told; what it says of pages follows from the text that it is shown, so that a
page which does not arrive, arrives garbled or arrives in the wrong place changes the list.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner, Result

from dialogue.cli import app
from tests.openai_server import ChatRequest, FakeOpenAI, Reply, Script
from tests.openai_server.web_model import told
from tests.openai_server.web_tales import FANTASY, GENTLE, MYSTERY
from tests.test_open_web import NARRATIVES, Web
from tests.variants import every
from tests.web import search_index
from tests.web.content import sources
from tests.web.page_server import PageServer
from tests.web.search_server import SearchServer
from tests.web.site import SITE, answers
from tests.web.visible import visible

pytestmark = pytest.mark.usefixtures("models_loaded")

TALES = {"fantasy-banter": FANTASY, "quiet-mystery": MYSTERY, "gentle-anime": GENTLE}
EXPECTED_AMONG_FIRST = 4
PROMPTS = {"read_graph", "describe", "rewrite_queries", "extract_candidates", "label_relations"}
NOWHERE_TITLE = "The Cinnamon Duel"
NOWHERE_QUOTE = "They duel with cinnamon sticks until both of them surrender."
QUESTION = "How do Sophie and Howl court each other in the first one?"


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with PageServer({}) as pages:
        pages.pages.update(answers(pages.port))
        find = search_index.search(pages.port)

        def found(query: str) -> list[dict[str, str]]:
            return [{**hit, "link": pages.url(hit["link"].split(f":{pages.port}", 1)[1])} for hit in find(query)]

        with SearchServer(found) as search:
            yield Web(pages, search)


@contextmanager
def model_of(script: Script, name: str) -> Iterator[tuple[FakeOpenAI, dict[str, str]]]:
    """A server with that model, and the settings that lead to it. Replies are kept by the name of their model."""
    with FakeOpenAI(script) as server:
        settings = {"OPENAI_BASE_URL": server.base_url, "PDGF_MODEL": name}
        yield server, {**settings, "PDGF_LLM_REQUESTS_PER_MINUTE": "0", "PDGF_LLM_RETRIES": "0"}


def pdgf(environment: dict[str, str], *arguments: str, typed: str = "") -> Result:
    return CliRunner(env=environment).invoke(app, list(arguments), input=typed)


def recommended(web: Web, folder: Path, narrative: str, settings: dict[str, str]) -> Any:
    row = NARRATIVES[narrative]
    asked = ("recommend", row["text"], "--domain", row["domain"], "--source", "web", "--json")
    result = pdgf({**web.environment(folder), **settings}, *asked)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def as_served(url: str, authority: str) -> str:
    """The visible text of a page of the small web, read anew from the address that a source names."""
    assert urlsplit(url).netloc == authority
    source = sources()[urlsplit(url).path]
    with urlopen(url, timeout=10) as answer:  # noqa: S310  the address was just compared with our own server's
        return " ".join(visible(answer.read().decode(source.charset), source.mime).text.split())


def assert_borne_out(web: Web, result: Any) -> set[str]:
    """Every item has evidence, and every quote stands in each page that it names; the paths of these pages."""
    paths = set()
    for item in result["items"]:
        assert item["evidence"], item["title"]
        for evidence in item["evidence"]:
            assert evidence["sources"]
            for source in evidence["sources"]:
                paths.add(urlsplit(source["url"]).path)
                assert " ".join(evidence["quote"].split()) in as_served(source["url"], web.pages.authority)
    return paths


def titles_of(row: dict[str, Any]) -> set[str]:
    return {row["title"], *row.get("other_titles", ())}


@pytest.mark.long
@pytest.mark.parametrize("narrative", every(3, TALES))
def test_titles_of_the_web_are_ranked_by_a_model_with_quotes_from_their_pages(
    web: Web, data_dir: Path, narrative: str
) -> None:
    row = NARRATIVES[narrative]
    with model_of(told(TALES[narrative]), f"told-{narrative}") as (server, settings):
        result = recommended(web, data_dir, narrative, settings)
    asked = [record.prompt for record in server.records]
    first = {item["title"] for item in result["items"][:5]}
    every = {item["title"] for item in result["items"]}
    assert result["config"]["engine"] == "llm"
    assert result["notes"] == []
    assert len([title for title in row["expected"] if titles_of(title) & first]) >= EXPECTED_AMONG_FIRST, first
    assert not first & {title["title"] for title in row["wrong"]}
    assert not every & {title["title"] for title in row["known"]}
    assert_borne_out(web, result)
    assert set(asked) == PROMPTS
    assert result["usage"]["agent_calls"] == len(asked)
    assert result["usage"]["searches"] == len({query["text"] for query in result["graph"]["queries"]})
    for spent in ("pages", "comparisons", "tokens_in", "tokens_out", "waves"):
        assert result["usage"][spent] > 0, spent


@pytest.mark.long
def test_a_chinese_request_is_answered_in_the_words_of_pages_in_utf_8_and_gbk(web: Web, data_dir: Path) -> None:
    with model_of(told(GENTLE), "told-charsets") as (server, settings):
        result = recommended(web, data_dir, "gentle-anime", settings)
    charsets = {sources()[path].charset for path in assert_borne_out(web, result)}
    shown = "\n".join(record.text for record in server.records)
    assert {"utf-8", "gbk"} <= charsets
    assert result["graph"]["language"] == "zh"
    assert "\ufffd" not in shown
    assert {"zh"} == {sources()[path].lang for path in assert_borne_out(web, result)}


def test_what_breaks_a_condition_comes_after_what_keeps_it_and_says_by_which_words(web: Web, data_dir: Path) -> None:
    with model_of(told(MYSTERY), "told-condition") as (_, settings):
        result = recommended(web, data_dir, "quiet-mystery", settings)
    demoted = [item["demoted"] is not None for item in result["items"]]
    assert demoted == sorted(demoted)
    [fargo] = [item for item in result["items"] if item["title"] == "Fargo"]
    assert "the murders are shown in full" in fargo["demoted"]


def test_an_item_in_no_chunk_and_a_quote_in_no_page_are_never_in_the_result(web: Web, data_dir: Path) -> None:
    with model_of(told(FANTASY), "told-honest") as (_, settings):
        honest = recommended(web, data_dir, "fantasy-banter", settings)
    with model_of(inventive(told(FANTASY)), "told-inventive") as (server, settings):
        inventing = recommended(web, data_dir, "fantasy-banter", settings)
    assert [record.prompt for record in server.records].count("extract_candidates") > 0
    printed = json.dumps(inventing["items"], ensure_ascii=False)
    assert NOWHERE_TITLE not in printed
    assert NOWHERE_QUOTE not in printed
    assert inventing["items"] == honest["items"]
    assert inventing["pool"] == honest["pool"]
    assert {"what": NOWHERE_TITLE, "why": "name_not_in_text"} in inventing["dropped"]


def test_pages_that_are_not_served_leave_a_model_with_nothing_to_recommend(web: Web, data_dir: Path) -> None:
    with (
        PageServer({}) as empty,
        SearchServer(lambda query: [hit_at(empty, path) for path in list(SITE)[:5]]) as search,
        model_of(told(FANTASY), "told-empty") as (server, settings),
    ):
        environment = {**Web(empty, search).environment(data_dir), **settings}
        asked = ("recommend", NARRATIVES["fantasy-banter"]["text"], "--domain", "books", "--source", "web", "--json")
        result = pdgf(environment, *asked)
    assert result.exit_code == 3
    assert json.loads(result.stdout)["items"] == []
    assert "extract_candidates" not in {record.prompt for record in server.records}


def test_a_chat_lists_items_of_the_web_and_answers_about_the_first_from_its_page(web: Web, data_dir: Path) -> None:
    typed = f"{NARRATIVES['fantasy-banter']['text']}\n{QUESTION}\n"
    with model_of(told(FANTASY), "told-chat") as (server, settings):
        environment = {**web.environment(data_dir), **settings}
        result = pdgf(environment, "chat", "--domain", "books", "--source", "web", "--json", typed=typed)
    assert result.exit_code == 0, result.stderr
    listed, answered = [json.loads(line) for line in result.stdout.splitlines()]
    assert listed["action"] == "recommend"
    assert listed["notes"] == answered["notes"] == []
    assert listed["items"][0]["title"] == "Howl's Moving Castle"
    assert listed["items"][0]["title"] in listed["reply"]
    assert answered["action"] == "answer"
    [said] = answered["sources"]
    assert said["item"] == listed["items"][0]["id"]
    assert said["quote"] in answered["reply"]
    assert "quarrelling" in said["quote"]
    assert said["quote"] in as_served(said["url"], web.pages.authority)
    for source in listed["sources"]:
        assert source["quote"] in listed["reply"]
        assert " ".join(source["quote"].split()) in as_served(source["url"], web.pages.authority)
    asked = {record.prompt for record in server.records}
    assert {"understand", "explain", "answer"} | PROMPTS == asked
    assert answered["usage"]["agent_calls"] > 0


def hit_at(pages: PageServer, path: str) -> dict[str, str]:
    return {"title": "A page", "link": pages.url(path), "snippet": "Some words of a page."}


def inventive(script: Script) -> Script:
    """A model that adds to each reply an item in no chunk, and to what it says of others a quote in no page."""

    def invents(request: ChatRequest) -> Reply:
        reply: Any = script(request)
        if request.prompt == "extract_candidates":
            records = reply["records"]
            true = [passage for record in records for passage in record["passages"]]
            unheard = [{"name": NOWHERE_TITLE, "year": 2021, "passages": said} for said in ([NOWHERE_QUOTE], true[:1])]
            changed = [{**record, "passages": [NOWHERE_QUOTE, *record["passages"]]} for record in records]
            return {"records": [*changed, *unheard]}
        if request.prompt == "label_relations":
            return {"labels": [_invented(row) for row in reply["labels"]]}
        return reply  # type: ignore[no-any-return]

    return invents


def _invented(row: dict[str, Any]) -> dict[str, Any]:
    """A label with a quote from nowhere; where the text says nothing, that quote alone and a verdict all the same."""
    label = "SUPPORT" if row["label"] == "NOT_ADDRESSED" else row["label"]
    return {**row, "label": label, "quotes": [*row["quotes"], NOWHERE_QUOTE]}
