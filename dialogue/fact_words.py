"""Facts of items in Chinese: the names of metadata keys and what they hold (METHOD 9.7). Pure.

Metadata are told as English lines ("Length: 119 minutes"), which stand in the index and are quoted word for word. For a
Chinese reader a line is told as "片长：119分钟"; names of people, places and dishes keep their own letters. The words
are data: `facts.zh.toml`.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from pdgf.glossary import chinese_of

_LINE = re.compile(r"(?P<label>[A-Z][\w' -]{1,30}): (?P<value>\S.*)", re.DOTALL)
_AMOUNT = re.compile(r"(?P<number>[\d,.]+)(?: (?P<unit>minutes|hours|pages|dollars a person))?")
_HOURS_WORD = re.compile(r"[A-Za-z]+")
_CLOSED = re.compile(r"closed (?P<days>[A-Za-z]+(?:(?:-| and |, )[A-Z][a-z]+)*)")
_UNITS = {"minutes": "分钟", "hours": "小时", "pages": "页", "dollars a person": "美元一人"}
_OF_LABEL = {"Suitable from age": "{}岁起", "Episodes": "{}集", "Year": "{}年"}


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    text = resources.files("dialogue").joinpath("facts.zh.toml").read_text(encoding="utf-8")
    tables: Mapping[str, Mapping[str, str]] = tomllib.loads(text)
    return tables


def key_in_chinese(words: str) -> str:
    """What a metadata key is called ("length minutes" -> "片长"); its own words where no name is known."""
    return _words()["labels"].get(_label_of(words), words)


def fact_in_chinese(line: str) -> str | None:
    """A line of metadata in Chinese; None for any other words and for keys that have no Chinese name."""
    match = _LINE.fullmatch(line)
    label = _words()["labels"].get(match["label"]) if match else None
    return f"{label}：{_value(match['label'], match['value'])}" if match and label else None


def value_in_chinese(key: str, value: str) -> str:
    """One value under a metadata key ("animation" -> "动画"); as it is where no word for it is known."""
    label = _label_of(key)
    return _hours(value) if label == "Opening hours" else _known(label, value) or value


@cache
def _english() -> Mapping[str, str]:
    return {chinese: english for english, chinese in reversed(list(_words()["values"].items()))}


def value_in_english(words: str) -> str:
    """What metadata call a value that is named in Chinese ("动画" -> "animation"); empty for other words."""
    return _english().get(words, "")


def _label_of(key: str) -> str:
    """A metadata key as its line names it ("length_minutes" -> "Length")."""
    name = key.replace("_", " ").strip()
    name = name[:1].upper() + name[1:]
    return name if name in _words()["labels"] else re.sub(r" (?:minutes|hours|pages)$", "", name)


def _hours(value: str) -> str:
    """Opening hours ("Tue-Sun 12:00-22:00; closed Mon"), where all their words are known."""
    words = _words()["opening_hours"]
    if not all(word in words for word in _HOURS_WORD.findall(value)):
        return value
    told = _CLOSED.sub(lambda found: f"{found['days']}{words['closed']}", value)
    told = re.sub(r"(?<![:\d])-(?=[A-Z])", "至", told)
    told = _HOURS_WORD.sub(lambda found: words[found[0]], told)
    return re.sub(r" ?(和|，|；) ?", r"\1", told.replace(", ", "，").replace("; ", "；"))


def _value(label: str, value: str) -> str:
    whole = _hours(value) if label == "Opening hours" else _known(label, value)
    amount = _AMOUNT.fullmatch(value) if whole is None else None
    if amount:
        unit = _UNITS.get(amount["unit"] or "", "")
        return _OF_LABEL.get(label, f"{{}}{unit}").format(amount["number"])
    if whole is not None or label == "Waits":
        return whole or value
    return "、".join(_known(label, part) or part for part in value.split(", "))


def _known(label: str, value: str) -> str | None:
    own = _words().get(label.lower().replace(" ", "_"), {})
    known = own.get(value) or _words()["values"].get(value)
    return known or (chinese_of().get(value.casefold()) if label == "Genres" else None)
