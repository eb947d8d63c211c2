"""Conversations as files: the JSON of the command line, and Markdown in which nothing loads or runs."""

import json
import re

import pytest

from dialogue.contract import turn_json
from dialogue.exporting import as_json, as_markdown, file_name
from dialogue.models import TurnView
from tests.browser.fake_conversations import DOMAINS, HOSTILE, STORY, FakeConversations

WORDS = {"you": "You", "sources": "What this rests on"}


async def views_of(*utterances: str) -> list[TurnView]:
    conversations = FakeConversations(pace=0)
    thread = await conversations.start(DOMAINS[0], "me")
    for utterance in utterances:
        assert [event async for event in conversations.turn(thread, utterance)]
    return await conversations.history(thread)


async def test_the_data_are_the_turns_as_the_command_line_prints_them() -> None:
    views = await views_of(STORY, "About The Lantern Road: is it sad?")
    assert json.loads(as_json(views)) == [json.loads(json.dumps(turn_json(view))) for view in views]


async def test_the_text_holds_every_word_and_each_quote_once_with_its_source() -> None:
    views = await views_of(STORY, "About The Lantern Road: is it sad?")
    told = as_markdown("Fantasy", views, **WORDS)
    assert told.startswith("# Fantasy\n\n**You:**\n\n> Fantasy with romance")
    assert views[0].reply.splitlines()[0] in told
    quote = "The Lantern Road: “They court by quarrelling over maps, prices and who snores.” (film-0\\#2)"
    assert told.count(quote) == 1
    assert "The middle stretch is sadder than the posters promise." in told.split("is it sad?")[1]


async def test_nothing_in_the_text_loads_or_runs() -> None:
    (view,) = await views_of("markup " + HOSTILE)
    told = as_markdown(HOSTILE, [view], **WORDS)
    assert told.count("onerror") > 3
    assert not re.search(r"(?<!\\)[<\[]", told)  # no tag, link or image begins anywhere


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("A quiet film, please!", "A quiet film please"),
        ("../../etc/passwd", "etcpasswd"),
        ("想看科幻片", "想看科幻片"),
        ("?*", "conversation"),
    ],
)
def test_a_file_gets_a_name_that_every_system_takes(title: str, name: str) -> None:
    assert file_name(title) == name
