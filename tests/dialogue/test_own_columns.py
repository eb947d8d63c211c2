"""A catalogue of the user's own from file to answer: its columns are limits, evidence, key facts and answers.

All rows are invented.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from dialogue import commands
from dialogue.composition import Composition
from dialogue.conversation import Conversations
from dialogue.events import Finished
from dialogue.models import Action, TurnView
from dialogue.own_catalogue import preview, table_mapping
from dialogue.own_columns import own_domain, told
from dialogue.own_domains import OwnDomains
from pdgf.constraints import schema_of
from pdgf.models import Candidate
from pdgf.settings import Settings
from tests.opened import with_models

GAMES = """Title,Year,Players,Playing time,Theme,Mechanism,Cooperative,Price,Review
Amber Junction,2012,2-4,45 min,trains,route building; auction,yes,€29,"Calm and quiet, you talk about every track."
Copper Line,2016,1-2,30 min,trains,deck building,no,€18,A small duel over one railway.
Iron Timetable,2004,3-6,3 h,trains,stock trading,no,€59,Long evenings of shouting over shares.
Salt Lagoon,2019,2-5,50 min,pirates,deck building,yes,€35,You sink together or not at all.
Crooked Mast,2010,3-5,90 min,pirates,area control,no,€42,Loud and mean in the best way.
Silent Orchard,2021,,40 min,farming,worker placement,yes,€31,Quiet work among the trees.
Hollow Barn,2014,1-4,75 min,farming,worker placement; auction,no,€38,A thinker with wooden pigs.
Paper Comet,2018,2,20 min,space,hand management,no,€12,Two rockets and twenty cards.
"""
COURSES = """名称,分类,难度,时长,价格,人数,提供证书,简介
周末木工课,手工,简单,2小时,199元,2-6人,是,老师很耐心，工具齐全。
零基础编程课,编程,简单,1小时30分钟,免费,1-20人,否,从第一行代码讲起，节奏慢。
系统编程训练营,编程,困难,6小时,899元,10-20人,是,强度很高，作业很多。
每日素描课,绘画,中等,45分钟,99元,1-8人,否,安静的画室，适合下班后来。
趣味摄影课,摄影,中等,3小时,299元,4-10人,是,边走边拍，气氛轻松。
"""
Say = Callable[[str], Awaitable[TurnView]]


def written(folder: Path, name: str, table: str) -> Path:
    path = folder / f"{name}.csv"
    path.write_text(table, encoding="utf-8")
    return path


@pytest.fixture
async def composition(tmp_path: Path) -> AsyncIterator[Composition]:
    made = with_models(settings=Settings(data_dir=tmp_path / "data"))
    yield made
    await made.close()


@pytest.fixture
async def games(composition: Composition, tmp_path: Path) -> Composition:
    await composition.index(written(tmp_path, "games", GAMES), name="games")
    return composition


@pytest.fixture
async def courses(composition: Composition, tmp_path: Path) -> Composition:
    await composition.index(written(tmp_path, "courses", COURSES), name="courses")
    return composition


@pytest.fixture
async def say(games: Composition) -> AsyncIterator[Say]:
    async with Conversations(games.settings.data_dir, games.ports) as conversations:
        thread = await conversations.start(games.domain("games"), "somebody")

        async def turn(utterance: str) -> TurnView:
            events = [event async for event in conversations.turn(thread, utterance)]
            assert isinstance(events[-1], Finished)
            return events[-1].view

        yield turn


async def recommended(text: str, name: str, composition: Composition) -> dict[str, Any]:
    printed, _ = await commands.recommended(text, name, 10, composition, lambda done, total: None, scope="somebody")
    return printed


def fitting(printed: dict[str, Any]) -> list[str]:
    return [item["title"] for item in printed["items"] if item["demoted"] is None]


async def test_an_index_names_every_column_that_a_wish_can_be_checked_against(games: Composition) -> None:
    domain = games.domain("games")
    keys = ["players", "playing time", "theme", "mechanism", "cooperative", "price"]
    assert [row.key for row in domain.constraint_keys] == [*keys, "others"]
    assert domain.facts == tuple(keys)


async def test_players_and_playing_time_are_limits_and_the_theme_is_evidence(games: Composition) -> None:
    printed = await recommended("a quiet cooperative game about trains for two, under an hour", "games", games)
    assert {(node["perspective"], node["hard"]) for node in printed["graph"]["nodes"]} >= {
        ("players", True),
        ("playing time", True),
        ("theme", False),
    }
    assert printed["items"][0]["title"] == "Amber Junction"
    assert set(fitting(printed)) == {"Amber Junction", "Copper Line", "Salt Lagoon", "Silent Orchard", "Paper Comet"}
    quotes = {entry["quote"] for entry in printed["items"][0]["evidence"]}
    assert {"Players: 2-4", "Playing time: 45 min", "Theme: trains"} <= quotes
    reasons = {item["title"]: item["demoted"] for item in printed["items"]}
    assert reasons["Crooked Mast"] == "Players: 3-5 (you asked for two)"
    assert reasons["Hollow Barn"] == "Playing time: 75 min (you asked for under an hour)"


async def test_an_item_that_states_no_players_stays_and_says_that_it_is_not_known(games: Composition) -> None:
    catalogue = (await games.ports("games")).catalogue
    [orchard] = [item for item in catalogue.items() if item.title == "Silent Orchard"]
    assert "players" not in orchard.metadata
    printed = await recommended("a farming game for two", "games", games)
    assert fitting(printed)[0] == "Hollow Barn"
    assert "Silent Orchard" in fitting(printed)


async def test_a_price_in_another_currency_rules_nothing_out(games: Composition) -> None:
    euros = await recommended("a game about pirates under €40", "games", games)
    assert "Crooked Mast" not in fitting(euros)
    dollars = await recommended("a game about pirates under $40", "games", games)
    assert "Crooked Mast" in fitting(dollars)


AGES = """Title,Minimum age,Text on cards,Price (EUR),Theme,Review
Amber Junction,6,none,12.50,space,A calm game about lights in the sky.
Copper Line,6,much,22.50,trains,A small duel over one railway.
Iron Timetable,10,none,32.50,trains,Long evenings of shouting over shares.
Salt Lagoon,12,little,42.50,space,You sink together or not at all.
Crooked Mast,14,much,52.50,pirates,Loud and mean in the best way.
Silent Orchard,8,little,62.50,farming,Quiet work among the trees.
"""


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("for my 6-year-old", {"Amber Junction", "Copper Line"}),
        ("a game about space for a six-year-old", {"Amber Junction"}),
        ("no text on the cards", {"Amber Junction", "Iron Timetable"}),
        ("a cheap game", {"Amber Junction", "Copper Line"}),
    ],
)
async def test_the_items_that_a_column_speaks_for_come_first_with_its_line(
    composition: Composition, tmp_path: Path, text: str, first: set[str]
) -> None:
    await composition.index(written(tmp_path, "ages", AGES), name="ages")
    printed = await recommended(text, "ages", composition)
    leading = printed["items"][: len(first)]
    assert {item["title"] for item in leading} == first
    assert all(piece["label"] == "SUPPORT" for item in leading for piece in item["evidence"])
    assert all(item["demoted"] is None for item in leading)


async def test_wishes_stand_under_their_columns_and_questions_are_answered_from_them(say: Say) -> None:
    listed = await say("a game about trains for two, under an hour")
    assert listed.action is Action.RECOMMEND
    hard = {key: [value.text for value in values] for key, values in listed.state.hard_constraints.items()}
    assert hard == {"players": ["for two"], "playing time": ["under an hour"]}
    assert [value.text for value in listed.state.soft_constraints["theme"]] == ["trains"]
    first = listed.items[0]["metadata"]
    for question, fact in (
        ("how long does the first one take?", f"Playing time: {first['playing time']}"),
        ("how many players is it for?", f"Players: {first['players']}"),
    ):
        answered = await say(question)
        assert answered.action is Action.ANSWER
        assert [source.quote for source in answered.sources] == [fact]
        assert answered.state.hard_constraints == listed.state.hard_constraints


async def test_a_chinese_catalogue_is_limited_and_answered_in_chinese(courses: Composition) -> None:
    printed = await recommended("适合新手的编程课，两小时以内", "courses", courses)
    assert printed["items"][0]["title"] == "零基础编程课"
    assert "系统编程训练营" not in fitting(printed)
    free = await recommended("免费的课，适合三个人", "courses", courses)
    assert fitting(free) == ["零基础编程课"]


async def test_a_file_sent_to_the_page_becomes_the_domain_that_the_command_makes_of_it(
    games: Composition, tmp_path: Path
) -> None:
    own = OwnDomains(games, tmp_path / "data", 1)
    draft = await own.take_in("ann", GAMES.encode(), "games.csv")
    build = await own.build("ann", draft, draft.preview.proposed, "Games")
    assert build.task is not None
    await build.task
    [sent] = own.of("ann").values()
    indexed = games.domain("games")
    same = ("constraint_keys", "facts", "fact_words", "scales", "asked_nothing")
    assert {name: getattr(sent, name) for name in same} == {name: getattr(indexed, name) for name in same}


def test_chinese_headers_say_which_column_holds_the_names_and_the_texts(tmp_path: Path) -> None:
    path = written(tmp_path, "courses", COURSES)
    assert table_mapping(path) == {"title": "名称", "review 1": "简介"}


def test_a_long_list_of_short_values_is_no_text(tmp_path: Path) -> None:
    listed = "worker placement; deck building; set collection; hand management; tile laying"
    table = "Name,Mechanisms,Notes\n" + "".join(
        f"Game {n},{listed},{'A remark that goes on for a good while about evening number'} {n}.\n" for n in range(6)
    )
    assert preview(written(tmp_path, "lists", table)).proposed["texts"] == ("Notes",)


def test_a_column_without_a_unit_is_said_to_be_compared_with_nothing() -> None:
    rows = [{"playing time": 45}, {"playing time": 90}]
    schema = schema_of([Candidate(id=str(n), title=str(n), metadata=row) for n, row in enumerate(rows)])
    assert told(schema.keys[0]).startswith("numbers without a unit")
    assert own_domain("mine", schema, {}).constraint_keys[0].key == "playing time"


async def test_a_catalogue_of_ones_own_says_what_can_be_named_and_gives_examples_of_its_own(games: Composition) -> None:
    domain = games.domain("games")
    assert all(column in domain.greeting for column in ("players", "playing time", "theme", "price"))
    assert domain.examples
    assert all("theme" in each.lower() or "mechanism" in each.lower() for each in domain.examples)
    assert domain.chinese is not None
    assert domain.chinese.examples == domain.examples


async def test_an_example_finds_what_it_names(games: Composition, say: Say) -> None:
    view = await say(next(each for each in games.domain("games").examples if each.startswith("Theme ")))
    assert view.action is Action.RECOMMEND
    first = view.items[0]["metadata"]["theme"]
    assert first in view.utterance


async def test_an_abbreviation_in_a_header_keeps_its_capitals_and_still_answers(
    composition: Composition, tmp_path: Path
) -> None:
    table = "Title,Price (EUR),Theme,Review\nA,30,sea,Calm and slow.\nB,12,sea,Loud and quick.\nC,55,land,Long.\n"
    await composition.index(written(tmp_path, "shop", table), name="shop")
    async with Conversations(composition.settings.data_dir, composition.ports) as conversations:
        thread = await conversations.start(composition.domain("shop"), "somebody")
        said = []
        for utterance in ("theme sea", "what is the price of the first one?", "which is cheaper?"):
            events = [event async for event in conversations.turn(thread, utterance)]
            assert isinstance(events[-1], Finished)
            said.append(events[-1].view.reply)
    assert "Price (EUR): " in said[1]
    assert "B is the cheapest" in said[2]
