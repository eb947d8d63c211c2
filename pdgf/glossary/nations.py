"""The Chinese words that nations give: for a kitchen, what was made there, a language, a story set there."""

import tomllib
from collections.abc import Iterator
from importlib import resources

_KITCHEN = ("菜", "餐", "料理", "餐厅", "餐馆", "馆子", "美食", "风味", "菜馆", "饭馆")
_MADE = ("", "电影", "片", "影片", "电视剧", "剧", "剧集", "小说", "文学", "作家", "作者", "导演", "动画", "作品", "书")
_SET = ("背景",)


def nation_forms() -> Iterator[tuple[str, str, str]]:
    """(form, English words, perspective) of every word; the bare name stands for what was made there."""
    folder = resources.files(__name__.rpartition(".")[0])
    nations: dict[str, list[str]] = tomllib.loads(folder.joinpath("nations.zh.toml").read_text(encoding="utf-8"))
    for name, (country, people, *language) in nations.items():
        yield from ((f"{name}{noun}", people, "cuisine") for noun in _KITCHEN)
        yield from ((f"{name}{noun}", f"made in {country}", "country") for noun in _MADE)
        yield from ((f"{name}{noun}", country, "setting") for noun in _SET)
        for spoken in language:
            yield from ((f"{name}{noun}", spoken, "language") for noun in ("语", "文"))
