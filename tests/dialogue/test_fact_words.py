"""Facts in Chinese."""

import re

import pytest

from dialogue.fact_words import fact_in_chinese, key_in_chinese, value_in_chinese, value_in_english
from pdgf.catalogues.bundled import BUNDLED
from pdgf.constraints import fact_line
from tests.catalogues import bundled_items


@pytest.mark.parametrize(
    ("line", "chinese"),
    [
        ("Length: 119 minutes", "长度：119分钟"),
        ("Genres: science fiction, drama", "类型：科幻、剧情"),
        ("Violence: none", "暴力：无"),
        ("Suitable from age: 7", "适合年龄：7岁起"),
        ("Suitable from age: 0", "适合年龄：老少皆宜"),
        ("Average spend: 34 dollars a person", "人均消费：34美元一人"),
        ("Director: Ang Lee, Somebody Else", "导演：Ang Lee、Somebody Else"),
        ("Wifi: yes", "无线网：有"),
        ("Reservations: no", "预约：不接受"),
        ("Cuisine: Italian, pizza", "菜系：意大利菜、披萨"),
        ("Opening hours: Tue-Sun 12:00-14:30, closed Mon", "营业时间：周二至周日 12:00-14:30，周一休息"),
    ],
)
def test_a_line_of_metadata_is_told_in_chinese_and_names_stay(line: str, chinese: str) -> None:
    assert fact_in_chinese(line) == chinese


@pytest.mark.parametrize(
    ("hours", "chinese"),
    [
        ("daily 11:00-23:00", "每天 11:00-23:00"),
        ("Tue-Sun 12:00-14:30 and 18:00-22:00; closed Mon", "周二至周日 12:00-14:30和18:00-22:00；周一休息"),
        ("Mon-Fri 10:00-20:00; closed weekends", "周一至周五 10:00-20:00；周末休息"),
        ("Mon-Sat 16:00-00:00; Sun 12:00-22:00", "周一至周六 16:00-00:00；周日 12:00-22:00"),
        ("daily 12:00-23:00; food until 20:00", "daily 12:00-23:00; food until 20:00"),  # not all words are known
    ],
)
def test_opening_hours_are_told_in_chinese_where_all_their_words_are_known(hours: str, chinese: str) -> None:
    assert value_in_chinese("opening_hours", hours) == chinese


@pytest.mark.parametrize("words", ["A quiet film: nothing happens.", "Note: bring a coat", "静かな映画", ""])
def test_prose_is_no_fact(words: str) -> None:
    assert fact_in_chinese(words) is None


def test_a_key_without_a_chinese_name_keeps_its_own() -> None:
    assert key_in_chinese("length minutes") == "长度"
    assert key_in_chinese("shoe size") == "shoe size"
    assert key_in_chinese("opening_hours") == "营业时间"
    assert value_in_english("动画") == "animation"


@pytest.mark.parametrize("name", BUNDLED)
def test_every_key_of_the_bundled_catalogues_has_a_chinese_name(name: str) -> None:
    items = bundled_items(name)
    lines = {key: fact_line(key, value) for item in items for key, value in item.metadata.items() if key != "invented"}
    assert {key for key, line in lines.items() if fact_in_chinese(line) is None} == set()


def test_most_of_the_genres_of_the_bundled_catalogues_are_told_in_chinese() -> None:
    genres = {
        genre
        for name in ("movies", "books", "anime")
        for item in bundled_items(name)
        for genre in item.metadata.get("genres", ())  # type: ignore[union-attr]
    }
    latin = {
        genre
        for genre in genres
        if re.search("[A-Za-z]", (fact_in_chinese(f"Genres: {genre}") or "A").partition("：")[2])
    }
    assert len(latin) <= len(genres) * 0.15, sorted(latin)
