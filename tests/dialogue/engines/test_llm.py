"""The DialogueAgent on a language model: what is asked, what of the prose is shown, what happens when it fails."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from dialogue import explanation
from dialogue.domain import bundled_domain
from dialogue.engines.builtin import BuiltinDialogueAgent
from dialogue.engines.llm import LLMDialogueAgent
from dialogue.models import DialogueState, Intent, ItemRef, Piece, Understanding
from dialogue.ports import Question, Utterance
from dialogue.streams import in_order
from pdgf.llm.calls import Ask, ChatModel, Completion
from pdgf.llm.endpoint import EndpointSettings, OpenAIModel
from pdgf.llm.structured import StructuredModel
from pdgf.models import Label, Passage, PathScore, RankedItem, Source
from pdgf.ports import ReviewHit
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.dialogue.test_explanation import graph, item
from tests.dialogue.town import REFS, WORDS
from tests.fakes import VocabularyAgent
from tests.openai_server import Answer, ChatRequest, FakeOpenAI, Fault
from tests.openai_server.requests import Reply
from tests.openai_server.town_model import blocks
from tests.pdgf.llm.scripted_model import ScriptedModel

EAT = bundled_domain("restaurants")
GRAPH = graph("quiet", "cheap", "ramen", "parking")
LABELS = {"quiet": Label.SUPPORT, "cheap": Label.CONTRADICTS, "ramen": Label.SUPPORT, "parking": Label.NOT_ADDRESSED}
PLACE = ItemRef(id="i", title="Place", year=1999)


class Prose:
    """A ChatModel that writes the same prose for every ask, a few characters at a time."""

    id = "prose"

    def __init__(self, text: str) -> None:
        self._text = text
        self.asks: list[Ask] = []

    async def complete(self, ask: Ask, budget: Budget) -> Completion:
        raise AssertionError("prose is streamed")

    async def stream(self, ask: Ask, budget: Budget) -> AsyncIterator[str]:
        self.asks.append(ask)
        for start in range(0, len(self._text), 3):
            yield self._text[start : start + 3]


def agent(model: ChatModel, *titles: str) -> LLMDialogueAgent:
    reserve = BuiltinDialogueAgent(preferences=VocabularyAgent(WORDS), config=MethodConfig())
    return LLMDialogueAgent(StructuredModel(model), model, reserve=reserve, titles=lambda: titles)


@asynccontextmanager
async def served(
    script: Callable[[ChatRequest], Reply], **more: object
) -> AsyncIterator[tuple[FakeOpenAI, OpenAIModel]]:
    faults = more.pop("faults", None)
    async with FakeOpenAI(script, faults=faults) as server:  # type: ignore[arg-type]
        settings = {"base_url": server.base_url, "model": "any", "first_wait": 0.01, "requests_per_minute": 0, **more}
        model = OpenAIModel(EndpointSettings.model_validate(settings))
        yield server, model
        await model.aclose()


async def explained(
    prose: str, *titles: str, ranked: RankedItem | None = None, language: str = "en"
) -> tuple[list[Piece], Budget]:
    budget, graph_of = Budget(), GRAPH.model_copy(update={"language": language})
    stream = agent(Prose(prose), *titles).explain(ranked or item(LABELS), graph_of, budget)
    return [piece async for piece in stream], budget


async def answered(prose: str, question: Question) -> tuple[str, Budget]:
    budget = Budget()
    pieces = [piece async for piece in agent(Prose(prose), "Drum House").answer(question, budget)]
    return "".join(piece.text for piece in pieces), budget


def asked(text: str = "Is it cosy?", *said: str, **metadata: str) -> Question:
    hits = [
        ReviewHit(item="i", passage=Passage(text=passage, source=Source(id=f"i#r{place}")), score=1.0)
        for place, passage in enumerate(said)
    ]
    return Question(text=text, item=PLACE, metadata=metadata, hits=tuple(hits))


def text_of(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def setbacks(budget: Budget) -> list[tuple[str, str]]:
    return [(setback.step, setback.why) for setback in budget.setbacks()]


async def test_an_explanation_is_the_sentences_that_the_quotes_bear_out() -> None:
    pieces, budget = await explained(
        "It is “a quiet room” [e1]. It is the best in town. It costs much [e2], sadly. Drum House is worse [e1]. "
        "There are 20 seats [e1]. It has parking [e1]. Whether it has parking is not known.",
        "Drum House",
        "Place",
    )
    assert text_of(pieces) == ("It is “A quiet room”. It costs much, sadly. Whether it has parking is not known.")
    assert [(s.source, s.quote) for piece in pieces for s in piece.sources] == [
        ("i#quiet", "A quiet room"),
        ("i#cheap", "It costs much."),
    ]
    assert setbacks(budget) == []


async def test_chinese_sentences_follow_one_another_without_a_space() -> None:
    pieces, _ = await explained("这里很安静[e1]。拉面不错[e3]。 价格贵[e2]。", language="zh")
    assert text_of(pieces) == "这里很安静。拉面不错。价格贵。"


@pytest.mark.parametrize("prose", ["It is wonderful.", "It is quiet [e9].", "“A loud room” [e1].", "I cannot say."])
async def test_where_nothing_may_be_shown_the_labels_speak(prose: str) -> None:
    pieces, budget = await explained(prose)
    assert pieces == list(explanation.told_by_labels(item(LABELS), GRAPH))
    assert setbacks(budget) == [("explain", "unreadable")]


async def test_without_anything_to_cite_no_model_is_asked() -> None:
    bare = RankedItem(candidate=item(LABELS).candidate, score=0.0)
    model = Prose("It is quiet.")
    pieces = [piece async for piece in agent(model).explain(bare, GRAPH, Budget())]
    assert pieces == list(explanation.told_by_labels(bare, GRAPH))
    assert model.asks == []


async def test_a_broken_condition_is_said_first_whatever_the_model_says() -> None:
    broken = item(LABELS, demoted="Average spend: 40 dollars a person (you asked for under $30)")
    pieces, _ = await explained("It is quiet [e1]. It costs much [e2].", ranked=broken)
    assert text_of(pieces) == (
        "Breaks a condition: Average spend: 40 dollars a person (you asked for under $30). It is quiet. It costs much."
    )
    pieces, _ = await explained("At 40 dollars a person it costs much [e2]. It is quiet [e1].", ranked=broken)
    assert text_of(pieces) == "At 40 dollars a person it costs much. It is quiet."


async def test_the_prompt_holds_every_wish_with_its_label_and_the_ids_of_its_quotes() -> None:
    model = Prose("It is quiet [e1].")
    [_] = [piece async for piece in agent(model).explain(item(LABELS), GRAPH, Budget())]
    wishes = blocks(model.asks[0].rendered.user)["wishes"].splitlines()
    assert len(wishes) == 4
    assert '"evidence": [{"id": "e1", "quote": "A quiet room."}]' in wishes[0]
    assert '"label": "NOT_ADDRESSED"' in wishes[3]


async def test_an_answer_is_the_sentences_that_facts_and_passages_bear_out() -> None:
    question = asked("Is it from 1980?", "A cosy room, says Ann.", seats="40")
    text, budget = await answered(
        "It is cosy [p1]. It seats 40 [f1]. It opened in 1999 [f2]. So says Bob [p1].", question
    )
    assert text == "It is cosy. It seats 40. It opened in 1999."
    assert setbacks(budget) == []


@pytest.mark.parametrize("reply", ["UNKNOWN", "UNKNOWN.", "**UNKNOWN**", "UNKNOWN: nothing says so [p1]."])
async def test_unknown_is_said_by_saying_nothing(reply: str) -> None:
    text, budget = await answered(reply, asked("Is it cosy?", "A room."))
    assert text == ""
    assert setbacks(budget) == []


async def test_an_answer_of_which_nothing_may_be_shown_is_noted() -> None:
    text, budget = await answered("It is cosy.", asked("Is it cosy?", "A room."))
    assert text == ""
    assert setbacks(budget) == [("answer", "unreadable")]


async def test_a_question_for_which_nothing_was_found_is_not_asked() -> None:
    model = Prose("It is cosy [p1].")
    question = Question(text="Is it cosy?", item=ItemRef(id="i", title="Place"), metadata={}, hits=())
    assert [piece async for piece in agent(model).answer(question, Budget())] == []
    assert model.asks == []


async def test_an_explanation_that_breaks_off_before_its_first_sentence_is_asked_for_once_more() -> None:
    def script(request: ChatRequest) -> Reply:
        return Answer(text="It is", finish="length") if request.index == 0 else "It is quiet [e1]."

    async with served(script) as (server, model):
        budget = Budget()
        pieces = [piece async for piece in agent(model).explain(item(LABELS), GRAPH, budget)]
    assert text_of(pieces) == "It is quiet."
    assert len(server.records) == 2
    assert setbacks(budget) == []


async def test_what_breaks_off_later_is_shown_as_broken_and_its_last_words_are_not() -> None:
    long = Answer(text="It is quiet [e1]. It costs much [e2]. And it is loud", finish="length")
    async with served(lambda _: long) as (server, model):
        budget = Budget()
        pieces = [piece async for piece in agent(model).explain(item(LABELS), GRAPH, budget)]
    assert text_of(pieces) == "It is quiet. It costs much. …"
    assert [piece.broken for piece in pieces] == [False, False, True]
    assert len(server.records) == 1
    assert setbacks(budget) == [("explain_cut", "cut_off")]


async def test_nothing_but_broken_replies_leaves_the_labels() -> None:
    async with served(lambda _: Answer(text="It is quiet", finish="length")) as (server, model):
        budget = Budget()
        pieces = [piece async for piece in agent(model).explain(item(LABELS), GRAPH, budget)]
    assert pieces == list(explanation.told_by_labels(item(LABELS), GRAPH))
    assert len(server.records) == 2
    assert setbacks(budget) == [("explain", "unreadable")]


async def test_whoever_stops_listening_hangs_up_on_every_explanation_that_is_under_way() -> None:
    long = "It is quiet [e1]. " * 40
    async with served(lambda _: long, faults=Fault.STALL) as (server, model):
        dialogue = agent(model)
        streams = [dialogue.explain(item(LABELS), GRAPH, Budget()) for _ in range(3)]
        told = in_order(streams)
        assert (await anext(told))[0] == 0
        await server.until(lambda: len(server.records) == 3)
        await told.aclose()
        await server.until(lambda: all(record.gone for record in server.records))


async def test_one_stream_closed_after_its_first_words_hangs_up_too() -> None:
    async with served(lambda _: "It is quiet [e1]. " * 40, faults=Fault.STALL) as (server, model):
        told = agent(model).explain(item(LABELS), GRAPH, Budget())
        assert (await anext(told)).text == "It is quiet."
        await told.aclose()
        await server.until(lambda: server.records[0].gone)


def said(text: str, *, shown: int = 3) -> Utterance:
    state = DialogueState(recommended_items=REFS[:shown])
    return Utterance(
        text=text, turn=2, state=state, shown=REFS[:shown], focus=REFS[1:2], domain=EAT, asked=("location",)
    )


async def test_wishes_come_conditions_first_then_along_the_winning_path_each_with_what_it_narrows() -> None:
    wishes = graph("quiet", "cosy", "cheap", "ramen", hard=("ramen",), edges=("cheap>cosy",))
    ranked = item({name: Label.SUPPORT for name in wishes.order})
    path = PathScore(node="cosy", score=1.7, path=("cheap", "cosy"), labels={})
    model = Prose("It is “A quiet room” [e1].")
    stream = agent(model).explain(ranked.model_copy(update={"paths": (path,)}), wishes, Budget())
    assert [piece async for piece in stream]
    shown = [json.loads(line) for line in blocks(model.asks[0].rendered.user)["wishes"].splitlines()]
    assert [(row["words"], row["qualifies"]) for row in shown] == [
        ("ramen", ""),
        ("cheap", ""),
        ("cosy", "cheap"),
        ("quiet", ""),
    ]


async def test_an_utterance_is_read_in_one_call_that_shows_lists_wishes_and_focus() -> None:
    model = ScriptedModel('{"intents": ["accept"], "wishes": [], "accepted": [2]}')
    budget = Budget()
    reading = await agent(model).understand(said("I take the second"), budget)
    assert (reading.intents, reading.accepted) == ((Intent.ACCEPT,), REFS[1:2])
    given = blocks(model.asks[0].rendered.user)
    assert given["utterance"] == "I take the second"
    assert [line.count('"number"') for line in given["list"].splitlines()] == [1, 1, 1]
    assert given["focus"] == "2"
    assert len(model.asks) == 1


async def test_wishes_in_other_words_than_the_users_are_asked_for_again() -> None:
    wrong = '{"intents": [], "wishes": [{"text": "calm", "key": "atmosphere"}]}'
    right = '{"intents": [], "wishes": [{"text": "quiet", "key": "atmosphere"}]}'
    model = ScriptedModel(wrong, right)
    reading = await agent(model).understand(said("quiet please"), Budget())
    assert [edit.text for edit in reading.edits] == ["quiet"]
    assert len(model.asks) == 2


async def test_an_unusable_reading_leaves_the_state_and_takes_the_intents_from_cue_words() -> None:
    budget = Budget()
    reading = await agent(ScriptedModel("no idea")).understand(said("I take the second, and quiet please"), budget)
    assert reading.intents == (Intent.ACCEPT,)
    assert (reading.edits, reading.accepted, reading.rejected, reading.seen) == ((), (), (), ())
    assert setbacks(budget) == [("understand", "unreadable")]


async def test_a_language_that_the_cue_words_do_not_know_is_not_understood() -> None:
    class Reserve(BuiltinDialogueAgent):
        async def understand(self, utterance: Utterance, budget: Budget) -> Understanding:
            from pdgf.errors import LanguageNotSupported

            raise LanguageNotSupported("zh")

    model = ScriptedModel("no idea")
    reserve = Reserve(preferences=VocabularyAgent(WORDS), config=MethodConfig())
    reading = await LLMDialogueAgent(StructuredModel(model), model, reserve=reserve).understand(
        said("我要拉面"), Budget()
    )
    assert reading == Understanding()


async def test_a_cancelled_turn_hangs_up() -> None:
    async with served(lambda _: "It is quiet [e1]. ", faults=Fault.HANG) as (server, model):
        listening = asyncio.create_task(anext(agent(model).explain(item(LABELS), GRAPH, Budget())))
        await server.until(lambda: bool(server.records))
        listening.cancel()
        await asyncio.wait([listening])
        await server.until(lambda: server.records[0].gone)
