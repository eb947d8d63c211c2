"""The words of the page are data, and each of them is used."""

import re
from collections.abc import Iterator
from importlib import resources
from string import Formatter
from typing import Any

import pytest

from dialogue.edits import BROUGHT
from dialogue.ui.templates import render
from dialogue.ui.texts import counted, page_texts, sentence
from pdgf.catalogues.bundled import BUNDLED

TEXTS = page_texts()
CHINESE = page_texts("zh")
# by a name that comes from the data
LOOKED_UP = {"domains", "units", "facts", "file_words", "gradio", "labels", "perspectives", "reasons"}


def shape(text: Any) -> Any:
    """What must be the same in every language: keys, fields of sentences, how many words a unit has."""
    if isinstance(text, dict):
        return {key: shape(value) for key, value in text.items()}
    if isinstance(text, list):
        return len(text)
    return sorted(field for _, field, _, _ in Formatter().parse(text) if field)


def test_chinese_has_the_keys_and_fields_of_english_and_starters_of_its_own() -> None:
    chinese = {table: words for table, words in CHINESE.items() if table != "starters"}
    assert shape(chinese) == shape(TEXTS)
    assert set(CHINESE["starters"]) == set(BUNDLED)
    assert all(len(said) == 3 for said in CHINESE["starters"].values())


def test_every_chinese_text_is_chinese() -> None:
    def sentences(text: Any, at: str) -> Iterator[tuple[str, str]]:
        if isinstance(text, dict):
            for key, value in text.items():
                yield from sentences(value, f"{at}.{key}")
        elif isinstance(text, str):
            yield at, text

    # a code, and facts and lists of fields alone
    bare = {
        ".page.language",
        ".status.doing",
        ".facts.length",
        ".facts.comma",
        ".cards.compare_comma",
        ".cards.say_reason",
    }
    foreign = [at for at, text in sentences(CHINESE, "") if not re.search(r"[\u4e00-\u9fff]", text)]
    assert set(foreign) == bare


def source() -> str:
    files = [file for file in resources.files("dialogue.ui").iterdir() if file.name.endswith((".py", ".j2", ".js"))]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def test_every_sentence_is_used_on_the_page() -> None:
    code = source()
    for table in set(TEXTS) - LOOKED_UP:
        unused = {key for key in TEXTS[table] if not re.search(rf"{table}\.{key}\b|[\"']{key}[\"']", code)}
        assert unused <= {BROUGHT}, table  # that one is looked up by its constant


@pytest.mark.parametrize(("number", "words"), [(0, "0 links"), (1, "1 link"), (5, "5 links")])
def test_a_count_brings_its_noun_in_the_right_number(number: int, words: str) -> None:
    assert counted(TEXTS, "edges", number) == words


def test_counts_are_filled_into_a_sentence() -> None:
    assert sentence(TEXTS, TEXTS["trace"]["wishes"], nodes=7, edges=1) == "Your wishes: 7 preferences, 1 link"


def test_a_missing_count_is_an_error() -> None:
    with pytest.raises(KeyError):
        sentence(TEXTS, TEXTS["trace"]["wishes"], nodes=7)


def test_each_domain_has_at_most_five_reasons_to_turn_a_pick_down() -> None:
    assert set(TEXTS["reasons"]) == set(BUNDLED)
    assert all(1 <= len(reasons) <= 5 for reasons in TEXTS["reasons"].values())


@pytest.mark.parametrize(("texts", "said"), [(TEXTS, "Reading. What"), (CHINESE, "Reading。下面")])
def test_what_is_being_done_is_a_sentence_of_its_own(texts: Any, said: str) -> None:
    for step in ("Reading", "Reading."):
        html = render("live.html", texts, step=step)
        assert said in re.sub(r"<[^>]+>", "", html)
