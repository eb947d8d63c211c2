"""Chinese requests from words to a list, in four domains, with the engine and the encoders that users get."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from pdgf.models import RankedItem, Recommendation
from pdgf.recommend import Request, recommend
from pdgf.settings import Settings
from tests.opened import with_models

ANIME = [
    ("雨后的车站", 12, "none", "fantasy", "两个老朋友重逢，友情写得细腻，节奏很慢，非常治愈。"),
    ("血色竞技场", 24, "strong", "action", "断肢横飞，血腥暴力，节奏飞快，打斗一场接一场。"),
    ("山间小屋", 13, "none", "slice of life", "慢节奏的日常，温暖治愈，朋友之间的羁绊动人。"),
    ("深夜侦探", 12, "moderate", "mystery", "烧脑推理，伏笔很多，气氛压抑。"),
    ("海边的信", 26, "none", "romance", "催泪的爱情，结局悲伤。"),
]
BOOKS = [
    ("The Locked Garden", "mystery", "An intricate puzzle with a twist on every other page. Bloodless throughout."),
    ("Knives at Noon", "mystery", "Gory from the first chapter, with graphic violence and little puzzle."),
    ("Two on a Ferry", "romance", "A light romance; the ending is happy."),
    ("Deep Water", "horror", "Frightening, full of dread."),
]


async def asked(
    narrative: str, domain: str, data_dir: Path, catalogue: list[dict[str, object]] | None = None
) -> Recommendation:
    composition = with_models(settings=Settings(data_dir=data_dir))
    if catalogue is not None:
        file = data_dir / f"{domain}.jsonl"
        file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in catalogue), encoding="utf-8")
        await composition.index(file, name=domain)
    ports = await composition.ports(domain)
    request = Request(
        ports=ports.ports,
        config=composition.config,
        budget=composition.budget(),
        item_word=ports.domain.item_word,
        current_year=2026,
        k=5,
    )
    return await recommend(narrative, request)


def facts(item: RankedItem) -> Mapping[str, object]:
    return item.candidate.metadata


async def test_a_slow_healing_anime_about_friendship_comes_before_a_bloody_one(tmp_path: Path) -> None:
    rows = [
        {
            "id": f"a{n}",
            "title": title,
            "year": 2000 + n,
            "metadata": {"episodes": episodes, "gore": gore, "genres": [genre]},
            "reviews": [{"text": note}],
        }
        for n, (title, episodes, gore, genre, note) in enumerate(ANIME)
    ]
    narrative = "想看一部节奏慢、讲友情的治愈系动画，不要太血腥，最好不超过13集"
    found = await asked(narrative, "cartoons", tmp_path, rows)
    assert found.graph.language == "zh"
    assert {item.candidate.title for item in found.items[:2]} == {"雨后的车站", "山间小屋"}
    quotes = [quote for label in found.items[0].judged.values() for one in label.values() for quote in one.quotes]
    texts = [passage.text for evidence in found.items[0].evidence for passage in evidence.passages]
    assert quotes
    assert all(any(quote in text for text in texts) for quote in quotes)


async def test_a_puzzling_mystery_without_much_blood_is_found_among_english_texts(tmp_path: Path) -> None:
    rows = [
        {"id": f"b{n}", "title": title, "year": 1990 + n, "metadata": {"genres": [genre]}, "reviews": [{"text": note}]}
        for n, (title, genre, note) in enumerate(BOOKS)
    ]
    found = await asked("推理小说，要烧脑、有反转，不要太血腥", "shelf", tmp_path, rows)
    assert found.items[0].candidate.title == "The Locked Garden"
    assert found.items[0].score > found.items[1].score


async def test_a_quiet_italian_place_in_the_harbour_with_parking_is_found_by_the_bundled_town(data_dir: Path) -> None:
    found = await asked("找一家安静的意大利餐厅，靠近老港，能停车，别太贵", "restaurants", data_dir)
    best = facts(found.items[0])
    assert best["location"] == "Old Harbour"
    assert "Italian" in str(best["cuisine"])
    assert best["noise_level"] == "quiet"
    assert "no parking" not in str(best["parking"])
    assert all(facts(item)["location"] == "Old Harbour" or item.demoted for item in found.items)


@pytest.mark.parametrize(
    ("narrative", "low", "high"),
    [("1990年以后的爱情片，不要悲剧结尾", 1990, 2100), ("除了恐怖片都行，最好是八十年代的", 1980, 1989)],
)
async def test_years_and_genres_of_the_bundled_films_are_kept_to(
    narrative: str, low: int, high: int, data_dir: Path
) -> None:
    found = await asked(narrative, "movies", data_dir)
    assert len(found.items) == 5
    assert all(low <= (item.candidate.year or 0) <= high for item in found.items)
    assert all("horror" not in str(facts(item)["genres"]) for item in found.items)
    if "爱情" in narrative:
        assert "romance" in str(facts(found.items[0])["genres"])
