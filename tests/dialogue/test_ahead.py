"""Reading ahead: the narrative that is guessed is the one that is rendered, and a reading that nobody needs is no one's
trouble."""

import asyncio
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue import narrative
from dialogue.ahead import ReadAhead, guess
from dialogue.domain import bundled_domain
from dialogue.models import (
    DialogueState,
    EditKind,
    Intent,
    ItemRef,
    KeptUtterance,
    Mention,
    StateEdit,
    TurnRecord,
    Understanding,
)
from dialogue.record import state_of
from dialogue.state import revise
from pdgf.errors import ModelUnreachable
from pdgf.quotes import place_of

FILMS = bundled_domain("movies")
LIMIT = 20_000
SHOWN = (ItemRef(id="m1", title="Harbour Lights"), ItemRef(id="m2", title="Heat"))


def after(
    record: TurnRecord, text: str, *wishes: str, hard: bool = False, questions: tuple[str, ...] = ()
) -> TurnRecord:
    """The record after a turn that was read as these wishes."""
    turn = record.get("turn", 0) + 1
    edits = []
    for words in wishes:
        span = place_of(words, text)
        assert span is not None
        edits.append(StateEdit(kind=EditKind.ADD, key="others", text=text[slice(*span)], hard=hard, span=(turn, *span)))
    intents = (Intent.PROVIDE_PREFERENCE,) if wishes else ()
    reading = Understanding(intents=intents, edits=tuple(edits), questions=questions)
    begun: TurnRecord = {**record, "turn": turn, "utterance": text}
    return {**begun, **revise(begun, reading, FILMS)}


def rendered(record: TurnRecord) -> str:
    return narrative.render(record["requests"], state_of(record), LIMIT).text


def guessed(record: TurnRecord, text: str) -> str | None:
    turn = record.get("turn", 0) + 1
    return guess(record.get("requests", []), state_of(record), text, turn=turn, limit=LIMIT)


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("A quiet film about the sea", ["quiet", "about the sea"]),
        ("  A quiet film about the sea. ", ["quiet"]),
        ("A quiet film. It should be about the sea. I like old ones!", ["quiet", "about the sea", "old"]),
        ("Hello there! I would like something quiet.", ["quiet"]),
        ("Hello! How are you? I would like something quiet.", ["quiet"]),
        ("Can you find me something quiet?", ["quiet"]),
        ("Hi! Do you know a quiet film? It should be old.", ["quiet", "old"]),
        ("Hmm, wait, make it something quiet", ["quiet"]),
        ("It must be quiet. No gore, please.", ["quiet", "No gore"]),
        ("quiet\nold\nabout the sea", ["quiet", "old", "about the sea"]),
        ("Something like Mr. Nobody, approx. 90 minutes long.", ["Mr. Nobody", "approx. 90 minutes"]),
        ("想看安静的电影。最好是老电影。", ["安静", "老电影"]),
        ("你好！有没有安静的电影？", ["安静"]),
        ("我想看安静一点的电影，不要太血腥", ["安静", "不要太血腥"]),
    ],
)
def test_a_first_message_is_guessed_as_it_is_rendered(text: str, wishes: list[str]) -> None:
    for hard in (False, True):
        assert guessed({}, text) == rendered(after({}, text, *wishes, hard=hard)) != ""


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("and with a bit of romance please", ["romance"]),
        ("something that is set in winter", ["set in winter"]),
        ("It must also be short. No gore.", []),  # points at what was shown: a verdict, more likely
        ("也要有一点浪漫", ["浪漫"]),
    ],
)
def test_a_wish_that_is_added_to_a_list_is_guessed_with_all_that_was_said_before(text: str, wishes: list[str]) -> None:
    before = after(after({}, "A quiet film. I want it old.", "quiet", "old"), "No gore.", "No gore", hard=True)
    state = state_of(before).model_copy(update={"recommended_items": SHOWN})
    before = {**before, "dialogue": state.model_dump(mode="json")}
    if not wishes:
        assert guessed(before, text) is None
        return
    assert guessed(before, text) == rendered(after(before, text, *wishes))


@pytest.mark.parametrize(
    "text",
    [
        "more",
        "the second one",
        "is the first sad?",
        "Too slow",
        "I take Harbour Lights",
        "what about Heat then",
        "再来几个吗",
    ],
)
def test_after_a_list_feedback_and_questions_are_not_guessed_at(text: str) -> None:
    assert guess([], DialogueState(recommended_items=SHOWN), text, turn=2, limit=LIMIT) is None


@pytest.mark.parametrize("text", ["hello", "Hi there!", "thanks so much", "你好", "Good morning, hello again"])
def test_courtesy_is_not_guessed_at(text: str) -> None:
    assert guessed({}, text) is None


SENTENCES = st.sampled_from(
    [
        "I want a quiet film.",
        "Something quiet!",
        "Do you know a quiet one?",
        "quiet\n",
        "Hmm, quiet.",
        "最好quiet。",
        "Hello!",
    ]
)


@given(st.lists(SENTENCES, min_size=1, max_size=5), st.lists(SENTENCES, min_size=1, max_size=3))
def test_messages_that_do_nothing_but_wish_are_guessed_whatever_they_are_made_of(
    one: list[str], two: list[str]
) -> None:
    record: TurnRecord = {}
    for sentences in (one, two):
        text = " ".join(sentences)
        spans = [(at, at + 5) for at in range(len(text)) if text.startswith("quiet", at)]
        turn = record.get("turn", 0) + 1
        edits = tuple(StateEdit(kind=EditKind.ADD, key="others", text="quiet", span=(turn, *span)) for span in spans)
        begun: TurnRecord = {**record, "turn": turn, "utterance": text}
        expected = guessed(record, text)
        reading = Understanding(intents=(Intent.PROVIDE_PREFERENCE,) if edits else (), edits=edits)
        record = {**begun, **revise(begun, reading, FILMS)}
        if edits:
            assert expected == rendered(record)


def test_a_message_beyond_the_limit_leaves_out_what_the_rendering_leaves_out() -> None:
    old: KeptUtterance = {"turn": 1, "text": "An old film.", "values": [(3, 6, Mention.STATED.value)], "plain": True}
    state = after({}, "An old film.", "old")
    text = "A quiet film about the sea."
    expected = narrative.render(after(state, text, "quiet")["requests"], state_of(after(state, text, "quiet")), 30).text
    assert guess([old], state_of(state), text, turn=2, limit=30) == expected == text


async def test_a_reading_runs_until_it_is_given_up() -> None:
    begun, stopped = asyncio.Event(), asyncio.Event()

    async def reading() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    ahead = ReadAhead()
    ahead.start(reading())
    await begun.wait()
    ahead.give_up()
    await stopped.wait()
    ahead.give_up()


async def test_a_second_reading_takes_the_place_of_the_first() -> None:
    stopped: list[str] = []

    async def reading(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.append(name)

    ahead = ReadAhead()
    ahead.start(reading("first"))
    await asyncio.sleep(0)
    ahead.start(reading("second"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert stopped == ["first"]
    ahead.give_up()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert stopped == ["first", "second"]


@pytest.mark.parametrize("error", [ModelUnreachable("timeout"), ValueError("the user's words")])
async def test_what_fails_is_heard_of_by_nobody(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    async def reading() -> None:
        raise error

    heard: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: heard.append(context))
    with caplog.at_level(logging.DEBUG):
        ahead = ReadAhead()
        ahead.start(reading())
        for _ in range(3):
            await asyncio.sleep(0)
        del ahead
    assert heard == []
    assert "the user's words" not in caplog.text
    assert ("ValueError" in caplog.text) is isinstance(error, ValueError)


@pytest.mark.filterwarnings("error")
async def test_a_reading_given_up_before_it_began_leaves_no_warning() -> None:
    async def reading() -> None:
        raise AssertionError("begun")

    ahead = ReadAhead()
    ahead.start(reading())
    ahead.give_up()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
