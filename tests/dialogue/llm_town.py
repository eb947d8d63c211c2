"""The invented town with the LLM engine: real agents over real HTTP, a scripted server instead of a provider."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from dialogue.conversation import Conversations
from dialogue.engines.builtin import BuiltinDialogueAgent
from dialogue.language_model import INTERACTIVE, LanguageModel
from pdgf.ports import Ports
from pdgf.settings import MethodConfig, Settings
from pdgf.usage import Budget
from tests.dialogue.town import PLACES, WORDS, Town, always, town_ports
from tests.fakes import Shelf, VocabularyAgent

QUICK: dict[str, Any] = {"llm_timeout": 2.0, "llm_retries": 1, "budget_seconds": 20.0}


@asynccontextmanager
async def open_llm_town(folder: Path, base_url: str, **settings: Any) -> AsyncIterator[Town]:
    """A conversation in the town whose engine is a language model at an address."""
    made = Settings.model_validate(
        {"data_dir": folder, "openai_base_url": base_url, "model": "town", **QUICK, **settings}
    )
    reserve, shelf = VocabularyAgent(WORDS), Shelf(PLACES)
    config = MethodConfig(**INTERACTIVE)
    model = LanguageModel(made)
    agent, dialogue = model.agents(
        config,
        preferences=reserve,
        dialogue=BuiltinDialogueAgent(preferences=reserve, config=config),
        titles=lambda: [item.title for item, _ in PLACES],
    )
    ports = replace(
        town_ports(reserve, shelf, dialogue),
        ports=Ports(agent=agent, source=shelf),
        config=config,
        engine="llm",
        read_ahead=True,
        new_budget=lambda thread: Budget(seconds=made.budget_seconds, scope=thread),
    )
    try:
        async with Conversations(folder, always(ports), model.forget) as conversations:
            thread = await conversations.start("restaurants", "someone")
            yield Town(conversations, thread, reserve, shelf, ports)
    finally:
        await model.close()
