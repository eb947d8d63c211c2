"""A conversation about restaurants whose model talks nonsense, is too slow, cannot hold the message, or is stopped.

It is given no time for the first message, so that there is a list to talk about, and its time for every other one.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import pytest
import pytest_asyncio

from dialogue import wording
from dialogue.contract import turn_json
from dialogue.models import Action, Piece
from pdgf.catalogues.reading import CatalogueItem
from pdgf.models import Recommendation
from pdgf.usage import Setback
from tests.llm import checks
from tests.llm.llama_server import CONTEXT, LlamaServer
from tests.llm.product import Product, Turn

pytestmark = pytest.mark.asyncio(loop_scope="session")

DOMAIN = "restaurants"
NO_TIME = 0.4  # seconds
GRACE = 2.0  # seconds that a turn may end after its deadline (RELIABILITY F9)
HELLO = "Hello!"
WISH = "A quiet Italian place in Old Harbour for dinner with my parents, not too expensive."
UTTERANCES = (
    WISH,
    "What do people say about the desserts of the second one?",
    "Something quieter, please.",
    "more",
    "I take the first one.",
)
KEYS = {"utterance", "intents", "action", "state", "reply", "items", "sources", "graph", "usage", "notes"}
STATE_KEYS = {"hard_constraints", "soft_constraints", "recommended_items", "rejected_items", "accepted_items"}


@dataclass(frozen=True, kw_only=True)
class Talk:
    """A greeting; the five turns, the ranking after the first of them, and all that there is to recommend."""

    greeting: Turn
    thread: str
    turns: Sequence[Turn]
    ranking: Recommendation
    catalogue: Sequence[CatalogueItem]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def talk(product: Product) -> Talk:
    # The server keeps what it has read: the first message waits for the whole prompt, later ones for what is new in it.
    product.limits(llm_timeout=45.0, budget_seconds=50.0)
    greeting = await product.say(await product.begin(DOMAIN), HELLO)
    thread = await product.begin(DOMAIN)
    product.limits(llm_timeout=NO_TIME)
    turns = [await product.say(thread, UTTERANCES[0])]
    ranking = await product.conversations.recommendation(thread)
    assert ranking is not None
    product.limits()
    turns += [await product.say(thread, utterance) for utterance in UTTERANCES[1:]]
    catalogue = await product.composition.items(DOMAIN)
    return Talk(greeting=greeting, thread=thread, turns=turns, ranking=ranking, catalogue=catalogue)


async def test_a_greeting_changes_nothing_that_nobody_said(talk: Talk, product: Product) -> None:
    turn, domain = talk.greeting, product.composition.domain(DOMAIN)
    assert turn.view.reply.strip()
    assert turn.seconds <= turn.deadline + GRACE
    assert [*checks.of_state(turn.view.state, said=[HELLO], domain=domain, catalogue=talk.catalogue)] == []
    assert [*checks.of_notes(turn)] == []


async def test_a_model_without_time_leaves_the_turn_to_the_built_in_engine(talk: Talk) -> None:
    first = talk.turns[0].view
    assert first.action is Action.RECOMMEND
    assert wording.sentence_of_setback(Setback(step="engine", why="timeout")) in first.notes
    assert [value.text for value in first.state.hard_constraints["location"]] == ["Old Harbour"]
    assert len(first.items) == 3


async def test_every_other_message_was_read_by_the_model_or_given_up(talk: Talk) -> None:
    for turn in talk.turns[1:]:
        assert "dialogue/understand" in {call.prompt for call in turn.calls}


async def test_every_turn_has_the_keys_of_the_contract(talk: Talk) -> None:
    for turn, utterance in zip(talk.turns, UTTERANCES, strict=True):
        printed = turn_json(turn.view)
        assert printed.keys() >= KEYS
        assert printed["state"].keys() == STATE_KEYS
        assert printed["utterance"] == utterance
        assert printed["reply"].strip()
        assert turn.view.finished


async def test_the_state_holds_nothing_but_the_users_words_and_items_that_exist(talk: Talk, product: Product) -> None:
    domain = product.composition.domain(DOMAIN)
    for turn in talk.turns:
        assert [*checks.of_state(turn.view.state, said=UTTERANCES, domain=domain, catalogue=talk.catalogue)] == []


async def test_every_score_follows_from_the_printed_labels(talk: Talk) -> None:
    for turn in talk.turns:
        assert [*checks.of_scores(turn.view.items, turn.view.graph.graph.get("edges", ()))] == []


async def test_every_quote_stands_in_the_catalogue(talk: Talk) -> None:
    for turn in talk.turns:
        assert [*checks.of_evidence(turn.view.items, talk.catalogue), *checks.of_reply(turn, talk.catalogue)] == []


async def test_whatever_was_done_otherwise_is_said(talk: Talk) -> None:
    for turn in talk.turns:
        assert [*checks.of_notes(turn)] == []


async def test_every_turn_ends_by_its_deadline(talk: Talk) -> None:
    for turn in talk.turns:
        assert turn.seconds <= turn.deadline + GRACE


async def test_what_is_kept_is_what_was_shown(talk: Talk, product: Product) -> None:
    assert await product.conversations.history(talk.thread) == [turn.view for turn in talk.turns]


async def test_an_explanation_quotes_only_what_is_known_of_its_item(talk: Talk, product: Product) -> None:
    agent = (await product.composition.ports(DOMAIN)).agent
    budget, item = product.composition.budget(), talk.ranking.items[0]
    called = len(product.model.calls)
    pieces: list[Piece] = [piece async for piece in agent.explain(item, talk.ranking.graph, budget)]
    [call] = {call.prompt for call in product.model.calls[called:]}
    assert call == "dialogue/explain"
    assert "".join(piece.text for piece in pieces).strip()
    known = " ".join(entry.text for entry in item.evidence)
    facts = {source.quote for piece in pieces for source in piece.sources if source.quote not in known}
    assert facts <= checks.facts_of(talk.catalogue, item.candidate.id)
    assert {source.item for piece in pieces for source in piece.sources} <= {item.candidate.id}


async def test_a_message_that_the_model_cannot_hold_is_read_by_rules_and_says_so(product: Product) -> None:
    thread = await product.begin(DOMAIN)
    turn = await product.say(thread, f"{WISH} It rained all week, and so we stayed in and cooked. " * (CONTEXT // 64))
    assert {call.ended for call in turn.calls if call.prompt == "dialogue/understand"} == {"PromptTooLong"}
    assert wording.sentence_of_setback(Setback(step="understand", why="unreadable")) in turn.view.notes
    assert turn.view.state == turn.before


async def test_a_turn_without_time_to_understand_its_message_ends_politely(product: Product) -> None:
    thread = await product.begin(DOMAIN)
    product.limits(budget_seconds=1.5)
    turn = await product.say(thread, WISH)
    product.limits()
    assert turn.seconds <= turn.deadline + GRACE
    assert turn.view.reply.strip()
    assert wording.sentence_of_setback(Setback(step="engine", why="timeout")) in turn.view.notes
    assert (await product.conversations.history(thread)) == [turn.view]


async def test_stopping_in_the_middle_of_a_turn_frees_the_server(llama: LlamaServer, product: Product) -> None:
    thread = await product.begin(DOMAIN)
    assert await llama.becomes(busy=False)
    running = asyncio.ensure_future(product.say(thread, WISH))
    assert await llama.becomes(busy=True)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    assert await llama.becomes(busy=False)
    product.limits(llm_timeout=NO_TIME)
    again = await product.say(thread, WISH)
    product.limits()
    assert len(again.view.items) == 3
