"""Wishes that a limit beside them measures, musts that are one word of several, and adjectives that say something."""

from collections.abc import Callable

import pytest

from pdgf.constraints import MetadataSchema, constraints_of, schema_of
from pdgf.engines.builtin.chinese.reading import analyse_chinese, joined, stretches
from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.measures import compare_measure
from pdgf.engines.builtin.reading import Analysis, analyse
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Candidate, Polarity

Read = Callable[[str], Analysis]


def said(analysis: Analysis) -> list[str]:
    return [node.instantiation for node in analysis.nodes]


def chinese(text: str) -> Analysis:
    return joined([analyse_chinese(text, s, Vocabulary(), None) for s in stretches(text) if s.language == "zh"])


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("not too long, two hours at most", ["two hours at most"]),
        ("nothing too long, under 90 minutes", ["under 90 minutes"]),
        ("not too violent, under two hours", ["violent", "under two hours"]),
        ("not too long", ["long"]),
        ("not too long. Nothing violent.", ["long", "violent"]),
    ],
)
def test_a_limit_says_how_long_is_too_long(text: str, wishes: list[str], read: Read) -> None:
    assert said(read(text)) == wishes


@pytest.mark.parametrize("text", ["few episodes", "not too many episodes", "a story with few pages"])
def test_few_of_what_an_item_is_measured_in_is_a_wish_for_a_short_one(text: str, read: Read) -> None:
    [node] = read(text).nodes
    assert (node.perspective, node.polarity) == ("length", Polarity.WANT)


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("不要太长，最好两小时以内", ["两小时以内"]),
        ("别太贵，人均五十以内", ["人均五十以内"]),
        ("不要太暴力，两小时以内", ["暴力", "两小时以内"]),
        ("不要太长", ["长"]),
        ("两个陌生人聊一整夜", ["陌生人", "聊一整夜"]),
        ("讲两个陌生人聊了一整夜", ["陌生人", "聊了一整夜"]),
        ("两个陌生人的爱情", ["陌生人", "爱情"]),
    ],
)
def test_chinese_limits_measure_likewise_and_what_people_do_is_a_wish(text: str, wishes: list[str]) -> None:
    assert said(chinese(text)) == wishes


def test_what_people_do_narrows_the_wish_for_them() -> None:
    found = chinese("两个陌生人聊一整夜")
    [link] = found.attachments
    people, does = found.nodes
    assert (link.base, link.qualifier) == (people.id, does.id)


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("a happy film", ["happy"]),
        ("something happy", ["happy"]),
        ("I'd be happy with anything", []),
        ("I am happy to read subtitles", []),
    ],
)
def test_a_happy_thing_is_a_wish_and_a_happy_person_is_none(text: str, wishes: list[str], read: Read) -> None:
    assert said(read(text)) == wishes


@pytest.mark.parametrize("must", ["quiet", "detective"])
def test_a_must_that_is_one_word_of_a_phrase_leaves_the_others_as_they_are(must: str, parser: EnglishParser) -> None:
    text = "a quiet detective story"
    at = text.index(must)
    nodes = analyse(parser.parse_now(text), text, Vocabulary(), [(at, at + len(must))]).nodes
    assert {node.instantiation: node.hard for node in nodes} == {
        "quiet": must == "quiet",
        "detective": must == "detective",
    }


@pytest.mark.parametrize(
    ("held", "limit"),
    [({"episodes": 24}, ("episodes", 26.0)), ({"episodes": 24, "seasons": 2}, ("seasons", 2.0))],
)
def test_seasons_are_counted_as_such_or_else_by_their_episodes(
    held: dict[str, int], limit: tuple[str, float], read: Read
) -> None:
    schema: MetadataSchema = schema_of([Candidate(id="1", title="A", metadata=dict(held))])
    [node] = read("two seasons at most").nodes
    assert [(found.key, found.number) for found in constraints_of(node, schema)] == [limit]


@pytest.mark.parametrize(("value", "holds"), [("Episodes: 26", True), ("Episodes: 27", False)])
def test_two_seasons_have_at_most_as_many_episodes_as_two_quarters_have_weeks(value: str, holds: bool) -> None:
    assert compare_measure("two seasons at most", "episodes", value.partition(": ")[2]) is holds
