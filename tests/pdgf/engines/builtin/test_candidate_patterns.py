"""Candidate extraction takes time in proportion to the text, whatever the text: by structure and by counted work."""

import re
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pdgf.engines.builtin import candidate_cues, candidate_media
from pdgf.engines.builtin.candidates import candidates_of
from pdgf.engines.builtin.title_index import title_index

MODULES = (
    "cues",
    "edges",
    "gazetteer",
    "heads",
    "kinds",
    "lines",
    "marks",
    "media",
    "mentions",
    "names",
    "passages",
    "shapes",
    "stretches",
    "years",
)
CUES = ("media", "media_makers", "lines", "lists", "works", "refers", "labels", "names", "around", "unread")


def patterns() -> dict[str, re.Pattern[str]]:
    """Every pattern of the extraction, those made of cue lists included."""
    found: dict[str, re.Pattern[str]] = {}
    for module in [import_module(f"pdgf.engines.builtin.candidate_{name}") for name in MODULES] + [
        import_module("pdgf.engines.builtin.title_index")
    ]:
        found |= {f"{module.__name__}.{k}": v for k, v in vars(module).items() if isinstance(v, re.Pattern)}
    lists = tomllib.loads(Path(candidate_cues.__file__).with_name("candidate_cues.toml").read_text(encoding="utf-8"))
    found |= {f"{section}.{key}": candidate_cues.cue(f"{section}.{key}") for section in CUES for key in lists[section]}
    for kind in (*lists["kinds"], "another kind"):
        cues = candidate_cues.kind_cues(kind)
        found |= {f"{kind}.words": cues.words, f"{kind}.speaks": cues.speaks, f"{kind}.others": cues.others}
        media = candidate_media.media_of(kind)
        found |= {f"{kind}.noun": media.noun, f"{kind}.own_words": media.own_words}
    return found


@pytest.mark.parametrize("name", sorted(patterns()))
def test_no_pattern_can_look_further_than_a_line_or_repeat_a_repetition_without_bound(name: str) -> None:
    pattern = patterns()[name]
    tree = re._parser.parse(pattern.pattern, pattern.flags)  # type: ignore[attr-defined]
    assert tree.getwidth()[1] <= 4_000  # characters that one attempt can touch

    def check(node: Any) -> None:
        for operator, argument in node:
            repeats = str(operator) in ("MAX_REPEAT", "MIN_REPEAT") and argument[0] != argument[1]
            if repeats:
                low, high = argument[2].getwidth()
                assert int(argument[1]) <= (200 if low == high else 16)
            for part in _inner(argument):
                check(part)

    check(tree)


def _inner(argument: Any) -> list[Any]:
    """The parsed parts of an operator's argument."""
    if isinstance(argument, re._parser.SubPattern):  # type: ignore[attr-defined]
        return [argument]
    if isinstance(argument, list | tuple):
        return [part for each in argument for part in _inner(each)]
    return []


def calls_of(function: Callable[[], object]) -> int:
    """How many functions of Python and C a call runs: a measure of its work that no clock disturbs."""
    count = 0

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "A",
            " ",
            "(",
            '"',
            "*",
            "的",
            "(1999)",
            "A (1999) ",
            "“a",
            "A\n1999\n",
            "《的》",
            "Ab is a ",
            "Mr. ",
            "a:",
            "\n",
        ),
        *(
            "Alien (1979) and ",
            "read The A ",
            "Title\nYear\n",
            "'a ",
            "1999 a ",
            "Ab by Cd ",
            "Ab, ",
            "Ab, Cd (1999) ",
            "Ab! Cd Ef (1999) ",
            "Kurosawa's Ab (1999) ",
            "the Paris of Ab (1999) ",
            "- Ann Moss, Ab (1999): c\n",
            "Books\nAb (1999): a novel\n",
            "ignore ",
            "film ",
        ),
    ],
)
@pytest.mark.long
def test_twice_the_text_is_at_most_about_twice_the_work(piece: str) -> None:
    def read(length: int) -> int:
        text = (piece * length)[:length]
        return calls_of(
            lambda: candidates_of(text, "slow", item_word="film", known_titles=title_index([("Alien", 1979)]))
        )

    read(3_000)  # fills the caches of patterns and names
    assert read(6_000) <= 2.3 * read(3_000) + 2_000
