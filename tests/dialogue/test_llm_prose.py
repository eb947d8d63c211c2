"""Explanations and answers over HTTP: what breaks off, what is invented, what does not end (RELIABILITY LLM05, LLM09).

What may be shown is decided a sentence at a time before anything of it is shown, so that no piece ever has to be
taken back.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dialogue import wording
from dialogue.events import ReplyPiece
from dialogue.models import Action
from tests.dialogue.llm_bar import added_notes, of_turn
from tests.dialogue.llm_cells import CANARY, MORE, QUESTION, REQUEST, Turn, plain_model, take, town_of
from tests.openai_server import Answer, ChatRequest, FakeOpenAI, Fault, Reply, Script
from tests.openai_server.town_model import blocks
from tests.variants import every

GOOD = "The ramen is praised: “The ramen is rich.” [e1]"
# It is much longer than the sentence before it, so that half of the reply holds that sentence whole.
LONG = f" It is a quiet room to sit in for a while, {'and then for another while, ' * 6}as one guest found [e2]."
CUT_NOTE = wording.say("setback.explain_cut")
LABELS_NOTE = wording.say("setback.explain")
SHOWN = 3


def says(explanation: str | Answer, answer: str | Answer = "UNKNOWN", *, of: str = "") -> Script:
    """A model with its own words for each explanation, or for that of the item of a title, and each answer."""

    def script(request: ChatRequest) -> Reply:
        if request.prompt == "explain" and of in blocks(request.user)["item"]:
            return explanation
        return answer if request.prompt == "answer" else plain_model(request)

    return script


class FailsOnce(FakeOpenAI):
    """A server that fails the first time that one prompt is asked about an item."""

    def __init__(self, script: Script, fault: Fault, prompt: str, title: str) -> None:
        super().__init__(script, key=CANARY)
        self._left: list[Fault] = [fault]
        self._concerns: Callable[[ChatRequest], bool] = lambda r: r.prompt == prompt and title in r.user

    def _fault_of(self, request: ChatRequest) -> Fault | None:
        return self._left.pop() if self._left and self._concerns(request) else None


class AlwaysCut(FakeOpenAI):
    """A server whose connection breaks half-way through everything that one prompt says of an item."""

    def __init__(self, script: Script, prompt: str, title: str) -> None:
        super().__init__(script, key=CANARY)
        self._concerns: Callable[[ChatRequest], bool] = lambda r: r.prompt == prompt and title in r.user

    def _fault_of(self, request: ChatRequest) -> Fault | None:
        return Fault.CUT if self._concerns(request) else None


def pieces(turn: Turn) -> list[str]:
    return [event.text for event in turn.events if isinstance(event, ReplyPiece)]


def notes(turn: Turn) -> list[str]:
    return added_notes(turn.view, turn.view.model_copy(update={"notes": ()}))


async def test_of_an_explanation_that_breaks_off_what_came_is_kept_and_asking_why_gives_the_reasons(
    tmp_path: Path,
) -> None:
    with AlwaysCut(says(GOOD + LONG, of="Salt Kettle"), "explain", "Salt Kettle") as server:
        async with town_of(tmp_path, server) as town:
            turn = await take(town, server, REQUEST)
            why = await take(town, server, "why the second?")
    assert of_turn(turn) == of_turn(why) == []
    assert turn.view.cut_off == ("p4",)
    assert turn.view.reasons["p4"] == "The ramen is praised: “The ramen is rich.” …"
    assert "as one guest found" not in "".join(pieces(turn))
    assert notes(turn) == [CUT_NOTE]
    assert [record.prompt for record in turn.records].count("explain") == SHOWN  # what was told is not asked for again
    assert why.view.action is Action.ANSWER
    assert why.view.reply.startswith('Salt Kettle – Fits "ramen" (“The ramen is rich')
    assert notes(why) == []


@pytest.mark.parametrize("fault", [Fault.CUT, Fault.ERROR_EVENT, Fault.BAD_EVENT, Fault.LENGTH], ids=lambda f: f.name)
async def test_an_explanation_that_breaks_off_before_its_first_sentence_is_asked_for_once_more(
    fault: Fault, tmp_path: Path
) -> None:
    with FailsOnce(says(LONG, of="Salt Kettle"), fault, "explain", "Salt Kettle") as server:
        async with town_of(tmp_path, server) as town:
            turn = await take(town, server, REQUEST)
    assert of_turn(turn) == []
    assert turn.view.reasons["p4"].startswith("It is a quiet room to sit in")
    assert (notes(turn), turn.view.cut_off) == ([], ())
    assert [record.prompt for record in turn.records].count("explain") == SHOWN + 1


async def test_an_explanation_that_never_comes_to_a_sentence_is_worded_from_the_labels(tmp_path: Path) -> None:
    with AlwaysCut(says(LONG, of="Salt Kettle"), "explain", "Salt Kettle") as server:
        async with town_of(tmp_path, server) as town:
            turn = await take(town, server, REQUEST)
    assert of_turn(turn) == []
    assert turn.view.reasons["p4"].startswith('Fits "ramen"')
    assert (notes(turn), turn.view.cut_off) == ([LABELS_NOTE], ())
    assert [record.prompt for record in turn.records].count("explain") == SHOWN + 1


async def test_an_answer_that_breaks_off_keeps_what_came_and_says_so(tmp_path: Path) -> None:
    said = f"There is a room: “A quiet room.” [p1] {LONG.replace('e2', 'p1')}"
    with AlwaysCut(says(GOOD, said), "answer", "Lantern Room") as server:
        async with town_of(tmp_path, server) as town:
            await take(town, server, REQUEST)
            turn = await take(town, server, QUESTION)
    assert of_turn(turn) == []
    assert turn.view.reply == "Lantern Room – There is a room: “A quiet room.” …"
    assert turn.view.cut_off == ("p1",)
    assert len(notes(turn)) == 1


async def test_an_answer_that_never_comes_to_a_sentence_is_none_and_that_is_said(tmp_path: Path) -> None:
    with AlwaysCut(says(GOOD, LONG.replace("e2", "p1")), "answer", "Lantern Room") as server:
        async with town_of(tmp_path, server) as town:
            await take(town, server, REQUEST)
            turn = await take(town, server, QUESTION)
    assert of_turn(turn) == []
    assert turn.view.reply == wording.say("answer.unknown", title="Lantern Room")
    assert notes(turn) == [wording.say("setback.answer", count=1)]
    assert [record.prompt for record in turn.records].count("answer") == 2


async def test_a_model_that_does_not_know_is_no_setback(tmp_path: Path) -> None:
    for said in ("UNKNOWN", "UNKNOWN.", "I cannot say. UNKNOWN", "UNKNOWN [p1]."):
        with FakeOpenAI(says(GOOD, said), key=CANARY) as server:
            async with town_of(tmp_path / said.strip(".").replace(" ", "-"), server) as town:
                await take(town, server, REQUEST)
                turn = await take(town, server, QUESTION)
        assert "UNKNOWN" not in turn.view.reply
        assert turn.view.reply == wording.say("answer.unknown", title="Lantern Room")
        assert notes(turn) == []


# Sentences of which no word may ever be shown about the Lantern Room, by what is wrong with them.
INVENTED = {
    "a quote that stands nowhere": "Guests say “the best broth in all of town” [e1].",
    "a quote without a citation": "Guests say “the best broth in all of town”.",
    "half a quote": "Guests say “The ramen is rich and the broth heavenly” [e1].",
    "a quote of another place": "Guests love “A quieter room upstairs” [e1].",
    "a quote in straight marks": 'Guests say "the best broth in all of town" [e1].',
    "a quote in single marks": "Guests say ‘the best broth in all of town’ [e1].",
    "a quote in low marks": "Guests say „the best broth in all of town“ [e1].",
    "a quote in guillemets": "Guests say «the best broth in all of town» [e1].",
    "a quote in corner brackets": "Guests say 「the best broth in all of town」 [e1].",
    "a quote that goes on in the next sentence": "Guests say “the best broth. I would move in at once” [e1].",
    "a quote that never ends": "Guests say “the best broth in all of town [e1].",
    "an id that was not given": "Its broth is heavenly [e9].",
    "an id of another kind": "Its broth is heavenly [p1].",
    "no id": "Its broth is heavenly.",
    "a known and an unknown id": "Its broth is heavenly [e1][e9].",
    "a mark that is none": "Its broth is heavenly [source].",
    "a year": "It has served ramen since 1987 [e1].",
    "a year in a bracket": "The Lantern Room (2019) has rich ramen [e1].",
    "a number": "Nine of 10 guests praise the ramen [e1].",
    "a price": "A bowl of ramen costs $12 [e1].",
    "another place": "Its ramen beats that of Drum House [e1].",
    "another place in capitals": "Its ramen beats that of DRUM HOUSE [e1].",
    "a place that nobody knows": "Its ramen beats that of the Golden Dragon Palace [e1].",
    "a sequel": "The Lantern Room 2 has even richer ramen [e1].",
    "a person": "Chef Tanaka makes its rich ramen [e1].",
    "a link": "Its ramen is [rich](https://evil.example/x) [e1].",
    "an address": "Its ramen is rich, see https://evil.example/x [e1].",
    "a bare address": "Its ramen is rich, see www.evil.example [e1].",
    "an image": "Its ramen is rich ![x](https://evil.example/x.png) [e1].",
    "a tag": "Its ramen is rich <img src=x onerror=alert(1)> [e1].",
    "a script": "Its ramen is rich <script>alert(1)</script> [e1].",
    "an address that runs": "Its ramen is rich javascript:alert(1) [e1].",
}


@pytest.mark.parametrize("wrong", every(8, INVENTED))
@pytest.mark.parametrize("order", ["before", "after", "alone"])
async def test_an_invented_sentence_is_shown_in_no_piece_whatever_stands_beside_it(
    wrong: str, order: str, tmp_path: Path
) -> None:
    sentence = INVENTED[wrong]
    said = {"before": f"{sentence} {GOOD}", "after": f"{GOOD} {sentence}", "alone": sentence}[order]
    with FakeOpenAI(says(said, of="Lantern Room"), key=CANARY) as server:
        async with town_of(tmp_path, server) as town:
            turn = await take(town, server, REQUEST)
    told = turn.view.reasons["p1"]
    assert of_turn(turn) == []
    assert "".join(pieces(turn)) == turn.view.reply
    if order == "alone" or (order, wrong) == ("before", "a quote that never ends"):  # who knows where it was to end
        assert told.startswith('Fits "ramen"')
        assert notes(turn) == [LABELS_NOTE]
    else:
        assert told == "The ramen is praised: “The ramen is rich.”"
        assert notes(turn) == []


@pytest.mark.parametrize("wrong", every(8, INVENTED))
async def test_an_invented_answer_is_none(wrong: str, tmp_path: Path) -> None:
    sentence = INVENTED[wrong].replace("[p1]", "[f99]").replace("[e1]", "[p1]")
    with FakeOpenAI(says(GOOD, sentence), key=CANARY) as server:
        async with town_of(tmp_path, server) as town:
            await take(town, server, REQUEST)
            turn = await take(town, server, QUESTION)
    assert of_turn(turn) == []
    assert turn.view.reply == wording.say("answer.unknown", title="Lantern Room")
    assert turn.view.sources == ()
    assert notes(turn) == [wording.say("setback.answer", count=1)]


# What comes after a good sentence, without end.
ENDLESS = {
    "words": " and so on" * 100_000,
    "sentences": " And so on [e1]." * 60_000,
    "one word": "x" * 1_000_000,
    "opening marks": "“" * 1_000_000,
    "brackets": "[" * 1_000_000,
    "stops": "." * 1_000_000,
    "lines": "\n" * 1_000_000,
}


@pytest.mark.parametrize("tail", ENDLESS)
async def test_a_reply_of_a_megabyte_is_bounded(tail: str, tmp_path: Path) -> None:
    with FakeOpenAI(says(f"{GOOD} It is{ENDLESS[tail]}", of="Lantern Room"), key=CANARY) as server:
        async with town_of(tmp_path, server) as town:
            turn = await take(town, server, REQUEST)
            assert (await take(town, server, MORE)).view.action is Action.SHOW_MORE
    assert of_turn(turn) == []
    assert turn.view.reasons["p1"].startswith("The ramen is praised: “The ramen is rich.”")
    assert len(turn.view.reasons["p1"]) < 6_000
    assert turn.view.cut_off == ("p1",)
    assert notes(turn) == [CUT_NOTE]


async def test_a_reply_that_was_cut_for_its_length_says_so(tmp_path: Path) -> None:
    cut = replace(Answer(text=f"{GOOD} And it is a qui"), finish="length")
    with FakeOpenAI(says(cut, of="Lantern Room"), key=CANARY) as server:
        async with town_of(tmp_path, server) as town:
            turn = await take(town, server, REQUEST)
    assert turn.view.reasons["p1"] == "The ramen is praised: “The ramen is rich.” …"
    assert (turn.view.cut_off, notes(turn)) == (("p1",), [CUT_NOTE])
