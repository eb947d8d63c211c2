"""What `pdgf graph` and `pdgf recommend` print with --json (DESIGN section 6)."""

import asyncio
from dataclasses import replace
from typing import Any

from dialogue import wording
from dialogue.composition import Composition
from dialogue.conversation import Conversations
from dialogue.intents import cleaned
from dialogue.models import Action, DialogueState, TurnView
from dialogue.owned import LOCAL_OWNER
from pdgf import construction, retrieval
from pdgf.contract import graph_json, recommendation_json
from pdgf.errors import EmptyNarrative, NarrativeTooLong, StoreUnavailable
from pdgf.recommend import Request, printed_config, recommend
from pdgf.sources.encoding import Progress
from pdgf.texts import clean
from pdgf.usage import Budget


async def graph(narrative: str, domain: str, composition: Composition) -> dict[str, Any]:
    """The graph of a narrative and its queries, without any evidence. Raises as `build_graph` does."""
    agent = await composition.agent(domain)
    budget = composition.budget(LOCAL_OWNER)
    config, item_word = composition.config, composition.domain(domain).item_word
    made, _ = await construction.build_graph(narrative, agent=agent, config=config, budget=budget)
    described, queries = await asyncio.gather(
        construction.refine(made, agent=agent, config=config, budget=budget),
        retrieval.write_queries(made, agent=agent, item_word=item_word, budget=budget),
    )
    return {**graph_json(described, queries), "notes": _notes(budget)}


async def recommended(
    narrative: str, domain: str, k: int, composition: Composition, progress: Progress, *, scope: str = ""
) -> tuple[dict[str, Any], bool]:
    """The ranked list of a narrative over all evidence that is set, and whether there is none because the web, where
    that is all the evidence, could not be searched or read. Raises as `pdgf.recommend.recommend` does.

    The replies of a model are kept under `scope`; without one none is kept, as for visitors, who share nothing.
    """
    shared = await composition.ports(domain, progress)
    budget = composition.budget(scope)
    request = Request(
        ports=replace(shared.ports, source=shared.wider) if shared.wider else shared.ports,
        config=shared.config,
        budget=budget,
        item_word=shared.domain.item_word,
        current_year=shared.current_year,
        k=k,
    )
    result = await recommend(narrative, request)
    unreached = any(setback.step in ("search", "pages_failed") for setback in budget.setbacks())
    printed = {
        **recommendation_json(result),
        "config": printed_config(result, {"engine": shared.engine, "embedder": shared.embedder}),
        "notes": _notes(budget),
    }
    return printed, composition.settings.source == "web" and unreached and not result.items


async def failed_turn(conversations: Conversations, thread: str, utterance: str, told: str) -> TurnView:
    """A turn that failed as it is printed: as it was stored, if it could be, with what is told of it for a reply."""
    try:
        views = await conversations.history(thread, unfinished=True)
    except StoreUnavailable:
        views = []
    if views and not views[-1].finished and views[-1].utterance == cleaned(utterance):
        return views[-1].model_copy(update={"reply": told})
    state = views[-1].state if views else DialogueState()
    return TurnView(utterance=utterance, action=Action.REQUEST_INFORMATION, state=state, reply=told, finished=False)


def narrative(typed: str, limit: int) -> str:
    """What was typed, cleaned. Raises EmptyNarrative, and NarrativeTooLong above `limit` characters."""
    text = clean(typed).strip()
    if len(text) > limit:
        raise NarrativeTooLong(len(text), limit)
    if not any(character.isalnum() for character in text):
        raise EmptyNarrative(text)
    return text


def _notes(budget: Budget) -> list[str]:
    """What was done otherwise than asked, in words."""
    return [wording.sentence_of_setback(setback) for setback in budget.setbacks()]
