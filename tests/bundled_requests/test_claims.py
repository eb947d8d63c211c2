"""The annotated requests hold together, and the claims are put to the test on them by the real engine."""

import json
from pathlib import Path

import pytest

from dialogue.composition import Composition
from dialogue.evaluation.claims import Asked, put_to_the_test
from pdgf.catalogues.bundled import BUNDLED
from pdgf.evaluation.claims import WANTED, Annotated
from pdgf.evaluation.claims_table import markdown
from pdgf.settings import Settings
from tests.bundled_requests.claims import SECOND, read_annotated
from tests.catalogues import bundled_items
from tests.pdgf.evaluation.village import write_set

REQUESTS = read_annotated()
ALL = (*REQUESTS, *read_annotated(SECOND))
QUALIFIED = [request for request in REQUESTS if request.pairs]
FLAT = [request for request in REQUESTS if not request.pairs]
PLACES = tuple(next(request for request in part if request.domain == "restaurants") for part in (QUALIFIED, FLAT))


def test_there_are_enough_requests_of_both_kinds_over_every_domain() -> None:
    assert len(QUALIFIED) >= 24
    assert len(FLAT) >= 16
    assert {request.domain for request in QUALIFIED} == {request.domain for request in FLAT} == set(BUNDLED)
    assert len({request.text for request in REQUESTS}) == len(REQUESTS)


def test_the_readme_gives_the_number_of_requests() -> None:
    readme = Path(__file__).parents[2].joinpath("README.md").read_text(encoding="utf-8")
    assert f"{len(REQUESTS)} requests with hand-drawn links" in " ".join(readme.split())


def test_the_second_set_has_both_kinds_over_every_domain_and_none_of_the_first() -> None:
    second = ALL[len(REQUESTS) :]
    assert sum(bool(request.pairs) for request in second) >= 20
    assert {request.domain for request in second} == set(BUNDLED)
    assert len({request.text for request in ALL}) == len(ALL)


def test_every_link_names_two_parts_of_its_text() -> None:
    for request in ALL:
        for base, qualifier in (*request.pairs, *request.open_to_both):
            assert base in request.text, base
            assert qualifier in request.text, qualifier
            assert base != qualifier
        assert not set(request.pairs) & set(request.open_to_both), request.text


def test_each_names_good_and_wrong_answers_that_are_in_the_catalogue() -> None:
    known = {domain: {item.id for item in bundled_items(domain)} for domain in BUNDLED}
    for request in ALL:
        assert len(request.acceptable) >= 2, request.text
        assert len(request.unacceptable) >= 2, request.text
        assert {*request.acceptable, *request.unacceptable} <= known[request.domain], request.text
        assert not set(request.acceptable) & set(request.unacceptable), request.text


async def put(asked: Asked, data_dir: Path) -> tuple[dict[str, object], list[str]]:
    said: list[str] = []
    composition = Composition(settings=Settings(data_dir=data_dir, engine="builtin", source="catalogue"))
    try:
        return await put_to_the_test(asked, composition, say=said.append), said
    finally:
        await composition.close()


@pytest.mark.long
async def test_full_is_compared_on_both_kinds_with_the_links_of_the_engine_and_of_a_reader(
    data_dir: Path, tmp_path: Path
) -> None:
    asked = Asked(requests=PLACES, folders=[write_set(tmp_path / "village")], out=tmp_path / "out")
    made, _ = await put(asked, data_dir)
    groups = made["groups"]
    assert set(groups) == {"qualified", "flat", "qualified, links by hand"}
    for group in groups.values():
        assert group["strategies"].keys() == {strategy.value for strategy in WANTED}
        assert group["paired"].keys() == group["strategies"].keys() - {"full"}
        assert group["requests"] == 1
    assert groups["qualified, links by hand"]["edges"] >= len(PLACES[0].pairs)
    assert made["links"]["qualified"]["pairs"] == len(PLACES[0].pairs)
    village = made["sets"]["village"]
    parts = [village[name]["requests"] for name in ("with a link", "without a link") if name in village]
    assert village["all"]["requests"] == sum(parts) == 3
    assert json.loads((tmp_path / "out" / "claims.json").read_text(encoding="utf-8"))["groups"] == groups
    assert (tmp_path / "out" / "claims.md").read_text(encoding="utf-8") == markdown(made)


@pytest.mark.long
async def test_a_second_run_measures_nothing_and_says_the_same(data_dir: Path, tmp_path: Path) -> None:
    asked = Asked(requests=PLACES[:1], out=tmp_path / "out")
    first, _ = await put(asked, data_dir)
    again, said = await put(asked, data_dir)
    assert again == first
    assert said.count("1 of 1 requests were measured before") == 2  # links of the engine, links by hand


async def test_a_request_without_a_wish_has_missed_every_pair(data_dir: Path) -> None:
    blank = Annotated(
        domain="restaurants",
        text="Hm, so so.",
        pairs=(("Hm", "so so"),),
        acceptable=PLACES[0].acceptable,
        unacceptable=PLACES[0].unacceptable,
    )
    made, _ = await put(Asked(requests=[blank]), data_dir)
    assert made["links"]["qualified"]["missed"] == {"no wish read": 1}
    assert made["groups"]["qualified"]["strategies"]["full"]["mrr"]["value"] == 0.0
