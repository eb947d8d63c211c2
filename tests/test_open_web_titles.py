"""Titles that a language model names, end to end: real HTTP to a model, a search and pages on loopback.

The model reads nothing but stretches of pages: whatever else it is asked is done by rule. Of a stretch it notes the
line that names a title which it has proposed itself, so that every item of the list has come by a page.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dialogue.cli import app
from dialogue.composition import Composition
from pdgf.settings import Preset, Settings
from tests.openai_server import ChatRequest, FakeOpenAI, Fault, Reply
from tests.openai_server.town_model import blocks
from tests.web import search_index
from tests.web.page_server import PageServer
from tests.web.search_server import SearchServer
from tests.web.site import answers

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("models_loaded")]

NARRATIVE = "A slow mystery film in a small town, with dry humour. I liked Local Hero (1983) for its mood."
BORNE_OUT, INVENTED, NAMED = "Howl's Moving Castle", "The Silver Orrery", "Local Hero"
NOT_UNDERSTOOD = "I would rather not say."


def naming(request: ChatRequest) -> Reply:
    if request.prompt == "propose_titles":
        return {"titles": [{"name": NAMED, "year": 1983}, {"name": BORNE_OUT}, {"name": INVENTED, "year": 2004}]}
    if request.prompt == "extract_candidates":
        lines = blocks(request.user)["page"].split("\n")
        told = [(name, line) for name in (BORNE_OUT, INVENTED) for line in lines if name in line and len(line) > 60]
        return {"records": [{"name": name, "passages": [line]} for name, line in told]}
    return NOT_UNDERSTOOD


class Served:
    """The three servers and the settings that lead to them."""

    def __init__(self, pages: PageServer, search: SearchServer, model: FakeOpenAI) -> None:
        self.pages = pages
        self.search = search
        self.model = model

    def environment(self, folder: Path, known_titles: int) -> dict[str, str]:
        return {
            "PDGF_DATA_DIR": str(folder),
            "SERPER_API_KEY": "test-key",
            "SERPER_BASE_URL": self.search.url,
            "PDGF_ALLOW_HOSTS": self.pages.authority,
            "OPENAI_BASE_URL": self.model.base_url,
            "PDGF_MODEL": "any",
            "PDGF_LLM_RETRIES": "0",
            "PDGF_LLM_REQUESTS_PER_MINUTE": "0",
            "PDGF_KNOWN_TITLES": str(known_titles),
        }

    def recommended(self, folder: Path, known_titles: int) -> Any:
        asked = ("recommend", NARRATIVE, "--domain", "movies", "--source", "web", "--json")
        result = CliRunner(env=self.environment(folder, known_titles)).invoke(app, list(asked))
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with PageServer({}) as pages, FakeOpenAI(naming) as model:
        pages.pages.update(answers(pages.port))
        find = search_index.search(pages.port)

        def found(query: str) -> list[dict[str, str]]:
            return [{**hit, "link": pages.url(hit["link"].split(f":{pages.port}", 1)[1])} for hit in find(query)]

        with SearchServer(found) as search:
            yield Served(pages, search, model)


def test_a_title_is_listed_by_the_page_that_names_it_and_one_that_no_page_names_is_told(
    served: Served, data_dir: Path
) -> None:
    before = served.recommended(data_dir, 0)
    assert BORNE_OUT not in [item["title"] for item in before["items"]]
    assert [record.prompt for record in served.model.records].count("propose_titles") == 0
    assert not [query for query in served.search.queries if query.endswith("review")]

    result = served.recommended(data_dir, 3)
    [item] = [item for item in result["items"] if item["title"] == BORNE_OUT]
    assert item["evidence"]
    for evidence in item["evidence"]:
        assert evidence["sources"]
        for source in evidence["sources"]:
            path = "/" + source["url"].split("/", 3)[3]
            shown = " ".join(search_index.visible_text(path).split())
            assert any(line in shown for line in evidence["text"].split("\n"))
            assert " ".join(evidence["quote"].split()) in shown
    assert {"what": INVENTED, "why": "title: no evidence"} in result["dropped"]
    assert not {INVENTED, NAMED} & {item["title"] for item in result["items"]}
    titles = [query for query in served.search.queries if query.endswith("review")]
    assert titles == [f'"{BORNE_OUT}" film review', f'"{INVENTED}" 2004 film review']
    assert result["graph"]["queries"] == before["graph"]["queries"]
    assert result["config"]["known_titles"] == 3


def test_a_model_that_gives_no_service_costs_the_titles_and_not_the_list(served: Served, data_dir: Path) -> None:
    with FakeOpenAI(naming, faults=Fault.NO_CREDIT) as broke:
        result = Served(served.pages, served.search, broke).recommended(data_dir, 3)
    assert result["items"]
    assert not [left for left in result["dropped"] if left["why"].startswith("title")]


@pytest.mark.parametrize(
    ("settings", "known"),
    [
        ({"engine": "llm", "source": "web"}, 7),
        ({"engine": "llm", "source": "both"}, 7),
        ({"engine": "llm", "source": "catalogue"}, 0),
        ({"engine": "builtin", "source": "web"}, 0),
    ],
)
@pytest.mark.parametrize("preset", list(Preset))
def test_titles_are_proposed_only_by_a_language_model_for_the_web(
    settings: dict[str, Any], known: int, preset: Preset
) -> None:
    composition = Composition(settings=Settings.model_validate({"known_titles": 7, **settings}), preset=preset)
    assert composition.config.known_titles == known


def test_at_most_thirty_titles_can_be_asked_for_and_none_is_the_default() -> None:
    assert Settings().known_titles == 0
    with pytest.raises(ValueError, match="less than or equal to 30"):
        Settings(known_titles=31)
