"""What Chinese words point at."""

import pytest

from dialogue.domain import bundled_domain
from dialogue.engines.chinese.references import resolve
from dialogue.engines.references import Shown
from dialogue.models import ItemRef

ITEMS = tuple(
    ItemRef(id=str(n), title=title) for n, title in enumerate(("Alien", "Spirited Away", "Before Sunrise"), start=1)
)
KNOWN = {
    "1": {"other_titles": ["异形"], "length_minutes": 117, "country": ["United Kingdom"], "format": "live action"},
    "2": {"other_titles": ["千与千寻"], "length_minutes": 125, "director": ["Hayao Miyazaki"], "format": "animation"},
    "3": {
        "other_titles": ["爱在黎明破晓前"],
        "length_minutes": 101,
        "country": ["United States"],
        "format": "live action",
    },
}


def shown(*focus: int) -> Shown:
    return Shown(
        items=ITEMS,
        focus=tuple(ITEMS[n - 1] for n in focus),
        metadata=KNOWN,
        domain=bundled_domain("movies"),
        ever=ITEMS,
    )


@pytest.mark.parametrize(
    ("words", "focus", "places"),
    [
        ("《千与千寻》怎么样", (), [2]),
        ("《Alien》", (), [1]),
        ("那就看Before Sunrise吧", (), [3]),
        ("异形不要", (), [1]),
        ("第一个", (), [1]),
        ("第2部", (), [2]),
        ("最后一部", (), [3]),
        ("倒数第二部", (), [2]),
        ("前两部", (), [1, 2]),
        ("后两部", (), [2, 3]),
        ("2号", (), [2]),
        ("第一部和第三部", (), [1, 3]),
        ("最短的那部", (), [3]),
        ("长一点的那部", (), [2]),
        ("宫崎骏那部", (), [2]),
        ("那部动画", (), [2]),
        ("它", (2,), [2]),
        ("这部", (3,), [3]),
        ("都不要", (), [1, 2, 3]),
        ("这三部", (), [1, 2, 3]),
        ("两部都看过", (1, 3), [1, 3]),
        ("另外两部呢", (1,), [2, 3]),
        ("除了第二部其他都不要", (), [1, 3]),
    ],
)
def test_words_point_at_their_items(words: str, focus: tuple[int, ...], places: list[int]) -> None:
    assert [int(item.id) for item in resolve(words, shown(*focus)).items] == places


@pytest.mark.parametrize("words", ["第一季", "第一次看", "第一人称", "第二集", "想看科幻片", "不超过两小时", "三个人"])
def test_numbers_that_count_something_else_point_at_nothing(words: str) -> None:
    found = resolve(words, shown())
    assert found.items == ()
    assert found.unresolved == ()


def test_what_is_not_there_or_is_one_of_several_stays_open() -> None:
    assert resolve("第五部", shown()).unresolved == ("第五部",)
    assert resolve("《盗梦空间》", shown()).unresolved == ("盗梦空间",)
    assert resolve("它", shown()).vague
    assert resolve("真人那部", shown()).candidates == (ITEMS[0], ITEMS[2])
