"""Requests over the small web, end to end: real search and page servers on loopback, the built-in engine.

Every quote of the result must stand in the page that it names, as that page shows it.
"""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dialogue.cli import app
from tests.variants import every
from tests.web import search_index
from tests.web.page_server import PageServer
from tests.web.search_server import SearchServer
from tests.web.site import answers

pytestmark = pytest.mark.usefixtures("models_loaded")

NARRATIVES = {
    row["id"]: row for row in tomllib.loads((Path(__file__).parent / "web/expected.toml").read_text())["narrative"]
}


class Web:
    """Both servers, and the settings that lead to them."""

    def __init__(self, pages: PageServer, search: SearchServer) -> None:
        self.pages = pages
        self.search = search

    def environment(self, folder: Path) -> dict[str, str]:
        return {
            "PDGF_DATA_DIR": str(folder),
            "SERPER_API_KEY": "test-key",
            "SERPER_BASE_URL": self.search.url,
            "PDGF_ALLOW_HOSTS": self.pages.authority,
        }


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with PageServer({}) as pages:
        pages.pages.update(answers(pages.port))
        find = search_index.search(pages.port)

        def found(query: str) -> list[dict[str, str]]:
            # One place serves every host: paths are unique, names of invented hosts lead nowhere.
            return [{**hit, "link": pages.url(hit["link"].split(f":{pages.port}", 1)[1])} for hit in find(query)]

        with SearchServer(found) as search:
            yield Web(pages, search)


def pdgf(environment: dict[str, str], *arguments: str) -> Result:
    return CliRunner(env=environment).invoke(app, list(arguments))


def recommended(web: Web, folder: Path, narrative: str, *more: str) -> Any:
    told = NARRATIVES[narrative]
    asked = ("recommend", told["text"], "--domain", told["domain"], "--source", "web", "--json", *more)
    result = pdgf(web.environment(folder), *asked)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def shown(path: str) -> str:
    return " ".join(search_index.visible_text(path).split())


@pytest.mark.parametrize("narrative", every(3, [name for name, row in NARRATIVES.items() if row["language"] == "en"]))
def test_titles_of_the_web_are_ranked_with_quotes_from_their_pages(web: Web, data_dir: Path, narrative: str) -> None:
    result = recommended(web, data_dir, narrative)
    titles = [item["title"] for item in result["items"][:5]]
    wanted = {
        title for row in NARRATIVES[narrative]["expected"] for title in (row["title"], *row.get("other_titles", ()))
    }
    assert len(wanted & set(titles)) >= 2, titles
    assert not {item["title"] for item in result["items"]} & {row["title"] for row in NARRATIVES[narrative]["known"]}
    assert result["usage"]["searches"] >= 3
    assert result["usage"]["pages"] >= 10
    for item in result["items"]:
        assert item["evidence"]
        for evidence in item["evidence"]:
            assert evidence["sources"]
            for source in evidence["sources"]:
                path = "/" + source["url"].split("/", 3)[3]
                assert " ".join(evidence["quote"].split()) in shown(path)


def test_a_web_that_cannot_be_searched_is_an_outside_failure_told_in_the_notes(web: Web, data_dir: Path) -> None:
    environment = {**web.environment(data_dir), "SERPER_BASE_URL": "http://127.0.0.1:1"}
    result = pdgf(environment, "recommend", "a slow mystery", "--source", "web", "--json")
    assert result.exit_code == 3
    printed = json.loads(result.stdout)
    assert printed["items"] == []
    assert any("Serper" in note and "could not be reached" in note for note in printed["notes"])
    assert result.stderr == ""


def test_what_the_caps_of_a_turn_leave_out_is_told(web: Web, tmp_path: Path) -> None:
    environment = {**web.environment(tmp_path), "PDGF_BUDGET_PAGES": "3", "PDGF_BUDGET_SEARCHES": "1"}
    result = pdgf(environment, "recommend", NARRATIVES["fantasy-banter"]["text"], "--source", "web", "--json")
    printed = json.loads(result.stdout)
    assert printed["usage"]["pages"] == 3
    assert printed["usage"]["searches"] == 1
    assert sum("limit of one turn" in note for note in printed["notes"]) == 2
