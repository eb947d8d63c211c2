"""Conversations as files: the JSON of the command line, and Markdown in which nothing loads or runs."""

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dialogue.contract import turn_json
from dialogue.conversation import TITLE_CHARS
from dialogue.exporting import HEADING, Words, as_json, as_markdown, file_name
from dialogue.models import Action, DialogueState, GraphChange, QuotedSource, TurnView
from tests.browser.fake_conversations import DOMAINS, HOSTILE, STORY, FakeConversations

WORDS = Words(
    you="You",
    sources="What this rests on",
    wishes="Your wishes",
    narrows="narrows",
    note="a text about it",
    entry="its entry",
    kinds={(avoid, must): f"{'Must ' * must}{'Avoid' if avoid else 'Wanted'}" for avoid in (0, 1) for must in (0, 1)},
)


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
    told = as_markdown("Fantasy", views, WORDS)
    assert told.startswith("# Fantasy\n\n**You:**\n\n> Fantasy with romance")
    assert views[0].reply.splitlines()[0] in told
    quote = "The Lantern Road: “They court by quarrelling over maps, prices and who snores.” (its entry)"
    assert told.count(quote) == 1
    assert "The middle stretch is sadder than the posters promise." in told.split("is it sad?")[1]


async def test_the_text_says_what_it_is_about_and_when_and_which_wish_narrows_which() -> None:
    views = await views_of(STORY)
    told = as_markdown("Fantasy", views, WORDS, about="Films · 2026-11-30")
    assert told.splitlines()[2] == "Films · 2026-11-30"
    wishes = told.split("## Your wishes\n\n")[1].splitlines()
    assert wishes[:2] == ["- Wanted: fantasy", "- Wanted: romance as a subplot (narrows: fantasy)"]
    assert "- Must Avoid: an animal dies" in wishes


async def test_no_id_of_the_catalogue_stands_in_the_text_but_what_kind_of_text_a_quote_is_from() -> None:
    source = QuotedSource(item="i", title="Heat", quote="Tense.", source="film-heat#r1")
    fact = source.model_copy(update={"quote": "Length: 170 minutes", "source": "film-heat#length_minutes"})
    page = source.model_copy(update={"quote": "Long.", "source": "p", "url": "https://example.org/heat"})
    answer = {"action": Action.ANSWER, "state": DialogueState(), "graph": GraphChange()}
    told = as_markdown("t", [TurnView(utterance="u", reply="r", sources=(source, fact, page), **answer)], WORDS)
    assert told.splitlines()[-3:] == [
        "- Heat: “Tense.” (a text about it)",
        "- Heat: “Length: 170 minutes” (its entry)",
        "- Heat: “Long.” (https://example.org/heat)",
    ]


def test_a_title_that_was_cut_is_whole_again_and_one_of_ones_own_stays() -> None:
    answer = {"action": Action.ANSWER, "state": DialogueState(), "graph": GraphChange()}
    said = "a film about trains\nand the sea, with someone who cannot sleep and walks about all night"
    view = TurnView(utterance=said, reply="r", **answer)
    whole = " ".join(said.split())
    assert len(whole) > TITLE_CHARS
    assert as_markdown(whole[:TITLE_CHARS], [view], WORDS).startswith(f"# {whole}\n")
    for own in ("For Sunday", "a film about trains"):
        assert as_markdown(own, [view], WORDS).startswith(f"# {own}\n")
    long = view.model_copy(update={"utterance": "word " * 100})
    heading = as_markdown(("word " * 100)[:TITLE_CHARS], [long], WORDS).splitlines()[0]
    assert heading == f"# {'word ' * (HEADING // 5)}…"


async def test_nothing_in_the_text_loads_or_runs() -> None:
    (view,) = await views_of("markup " + HOSTILE)
    told = as_markdown(HOSTILE, [view], WORDS)
    assert told.count("onerror") > 3
    assert not re.search(r"(?<!\\)[<\[]", told)  # no tag, link or image begins anywhere


def begins(told: str) -> list[str]:
    """The signs in Markdown that begin a tag, a link or an image: an even number of backslashes stands before them."""
    return [found[2] for found in re.finditer(r"(\\*)([<\[])", told) if len(found[1]) % 2 == 0]


@given(st.text("\\<[]!()a `", max_size=12))
@example("\\<img src=https://e.invalid/x>")
@example("\\\\![x](https://e.invalid/x)")
def test_no_backslash_of_a_reply_or_quote_brings_a_sign_to_life(words: str) -> None:
    source = QuotedSource(item="i", title=words, quote=words, source=words)
    answer = {"action": Action.ANSWER, "state": DialogueState(), "graph": GraphChange()}
    view = TurnView(utterance=words, reply=words, sources=(source,), notes=(words,), **answer)
    assert begins(as_markdown(words, [view], WORDS)) == []


def test_a_reply_shows_the_backslashes_it_was_given() -> None:
    view = TurnView(utterance="", reply="C:\\<b>", action=Action.ANSWER, state=DialogueState(), graph=GraphChange())
    assert "C:\\\\\\<b>" in as_markdown("t", [view], WORDS)


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
