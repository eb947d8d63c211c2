"""The part of the composition that the page and the command line share: settings in, ports of a domain out.

The only module besides the two entry points that knows adapters. Heavy ones load on first use, off the event loop.
"""

import asyncio
import datetime
import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from dialogue import owned, topics
from dialogue.allowances import Allowances, allowances_of
from dialogue.catalogues import Catalogues
from dialogue.domain import Domain
from dialogue.engines.builtin import BuiltinDialogueAgent
from dialogue.file_domain import Indexed, candidates_of, domain_of
from dialogue.keeping import Keeping
from dialogue.language_model import INTERACTIVE, LanguageModel, embedder_of
from dialogue.offered import LOOK_SECONDS, Offered
from dialogue.open_web import OpenWeb
from dialogue.ports import DialogueAgent, DomainPorts
from pdgf.catalogues.bundled import BUNDLED, shipped_place
from pdgf.catalogues.reading import CatalogueItem
from pdgf.embedding import CachedEmbedder, MiniLMEmbedder, UseEmbedder
from pdgf.engines.builtin.agent import BuiltinAgent
from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.title_index import title_index
from pdgf.engines.builtin.vocabulary import PERSPECTIVE_OF_KEY, vocabulary_of
from pdgf.errors import EmbedderUnavailable
from pdgf.llm.calls import ChatModel
from pdgf.models import Candidate
from pdgf.ports import Ports, PreferenceAgent, TitleProposer
from pdgf.settings import MethodConfig, Preset, Settings, preset_config
from pdgf.sources import stored_indexes
from pdgf.sources.catalogue import CatalogueSource
from pdgf.sources.encoding import Progress
from pdgf.sources.index import CatalogueIndex, index_folder, open_index
from pdgf.sources.shipping import ship_index
from pdgf.usage import Budget

if TYPE_CHECKING:
    from pdgf.sources.pgvector.catalogue import StoredCatalogue

SAMPLE = "A first sentence."
OWNED_OPEN = 8  # catalogues of visitors that are held in memory at once
log = logging.getLogger(__name__)


@dataclass(kw_only=True)
class Composition:
    """Builds the ports of a domain once and hands the same ones to every conversation. One for each event loop."""

    settings: Settings
    preset: Preset = Preset.INTERACTIVE
    model: ChatModel | None = None  # in place of the endpoint of the settings
    free: bool = False  # the model's calls cost nothing, so that no item is left out to save some
    _parser: EnglishParser = field(default_factory=EnglishParser)
    _embedder: CachedEmbedder | None = None
    _ready: dict[str, DomainPorts] = field(default_factory=dict)
    _opening: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    @cached_property
    def catalogues(self) -> Catalogues:
        """What can be recommended from."""
        return Catalogues(self.settings)

    @cached_property
    def offered(self) -> Offered:
        """The domains that visitors are offered; they follow what happens once `keep_up` runs."""
        return Offered(self.catalogues)

    @cached_property
    def engine(self) -> str:
        """The engine in use: builtin or llm."""
        return "llm" if self.model is not None else self.settings.engine_name

    @cached_property
    def turns_at_once(self) -> int:
        """How many turns are worked at side by side: few where they are work for this computer alone, many where most
        of a turn is waiting for others."""
        works = self.engine == "builtin" and self.settings.source == "catalogue"
        return max(2, os.cpu_count() or 1) if works else 4 * self.settings.llm_concurrency

    @cached_property
    def config(self) -> MethodConfig:
        """The numbers of the method for the preset and the engine."""
        model = self.engine == "llm"
        known = self.settings.known_titles if model and self.settings.source != "catalogue" else 0
        costly = model and self.preset is Preset.INTERACTIVE
        numbers = {key: value for key, value in INTERACTIVE.items() if not (self.free and key == "catalogue_recall")}
        return preset_config(self.preset, known_titles=known, **(numbers if costly else {}))

    @cached_property
    def keeping(self) -> Keeping:
        """Where conversations, counts and caches are kept."""
        return Keeping(self.settings)

    @cached_property
    def language_model(self) -> LanguageModel:
        """What the engine llm asks."""
        kept = self.keeping
        return LanguageModel(self.settings, instead=self.model, replies=kept.replies(), pace=kept.pace())

    def check_model(self) -> None:
        """Make the client of the language model, if one is to be asked, so that what is missing is said before anything
        is done. Raises ConfigInvalid."""
        if self.engine == "llm":
            self.language_model.chat_model  # noqa: B018

    @cached_property
    def allowances(self) -> Allowances:
        """What conversations, visitors and days have asked for."""
        return allowances_of(self.settings, self.keeping.ledger())

    @cached_property
    def open_web(self) -> OpenWeb:
        """Where evidence from the open web comes from."""
        return OpenWeb(self.settings, self.keeping.pages)

    @property
    def embedder(self) -> CachedEmbedder:
        """The sentence encoder of the settings. Raises EmbedderUnavailable when its folder holds no model."""
        if self._embedder is None:
            folder = Path(self.settings.embedder) if self.settings.embedder else None
            self._embedder = CachedEmbedder(embedder_of(self.settings) or MiniLMEmbedder(folder))
        return self._embedder

    @cached_property
    def chinese_embedder(self) -> CachedEmbedder | None:
        """The encoder of Chinese texts: an endpoint's own, else the packaged one; None where that is not installed."""
        if embedder_of(self.settings) is not None:
            return self.embedder
        try:
            return CachedEmbedder(UseEmbedder())
        except EmbedderUnavailable as error:
            log.warning("Chinese texts are read by rules alone: %s", error)
            return None

    def domains(self) -> tuple[Domain, ...]:
        """The bundled domains that are offered and those indexed by the user, in that order."""
        return self.catalogues.domains()

    def domain(self, name: str) -> Domain:
        """A domain by name. Raises UnknownDomain."""
        return self.catalogues.domain(name)

    async def items(self, name: str) -> tuple[CatalogueItem, ...]:
        """The items of a domain that is held here. Raises UnknownDomain and CatalogueInvalid."""
        return await self.catalogues.items(name)

    async def agent(self, name: str) -> PreferenceAgent:
        """The preference agent of a domain alone, without its index: all that drawing a graph needs."""
        catalogue = await self.catalogues.opened(name, self.embedder)
        items = candidates_of(await self.items(name)) if catalogue is None else catalogue.items()
        agent, _ = self.agents(items, own=name not in BUNDLED)
        return agent

    async def ports(self, name: str, progress: Progress | None = None) -> DomainPorts:
        """Everything the turns of a domain share, built on first use. Raises UnknownDomain and ServiceFailed."""
        ready = self._ready.get(name)
        if ready is None:
            async with self._opening.setdefault(name, asyncio.Lock()):
                ready = self._ready.get(name) or await self._open(name, progress)
                self._ready[name] = ready
                self._close_owned(but=name)
        return ready

    async def keep_up(self) -> None:
        """Let go of catalogues that were removed, and offer new ones of the database, until this is cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            changed = await self.offered.look()
            for name in tuple(self._ready):
                if name in changed or not (name in self.offered or owned.is_owned(name)):
                    del self._ready[name]

    async def warm_up(self) -> None:
        """Load the models and open every domain, the first one first, so that a first turn waits for none of it."""
        await self._parser.parse(SAMPLE)
        await self.embedder.encode([SAMPLE])
        for domain in self.domains():
            await self.ports(domain.name)
            topics.asked_for(SAMPLE, domain.name, self.domains())
            log.info("ready: %s", domain.name)

    async def index(
        self,
        file: Path,
        *,
        name: str,
        mapping: Mapping[str, str] | None = None,
        progress: Progress | None = None,
        title: str = "",
    ) -> Indexed:
        """Make a domain of the user's own from a file and build its index; `title` is what people call it.

        Raises ConfigInvalid for a name that cannot be used and CatalogueInvalid for a file without a usable row.
        """
        indexed = await domain_of(
            file, self.catalogues.kept, PERSPECTIVE_OF_KEY, name=name, mapping=mapping, title=title
        )
        self._ready.pop(name, None)
        await self.ports(name, progress)
        return indexed

    async def remove(self, name: str) -> None:
        """Delete a visitor's catalogue with its index. Raises IndexUnavailable when its files cannot be deleted."""
        self._ready.pop(name, None)
        await asyncio.to_thread(self.catalogues.kept.remove, name)

    async def ship(self, name: str) -> None:
        """Write the vectors of a bundled domain beside its catalogue, for whoever has changed it. Raises OSError."""
        await ship_index(await self._index(name), shipped_place(name), self.embedder, self.chinese_embedder)

    async def _index(self, name: str, progress: Progress | None = None) -> CatalogueIndex:
        items = await self.items(name)
        await self.embedder.encode([SAMPLE])  # an endpoint's dimension is known after its first call
        folder = index_folder(self.settings.data_dir, name, items, self.embedder)
        index = await open_index(
            items,
            embedder=self.embedder,
            folder=folder,
            progress=progress,
            chinese=self.chinese_embedder,
            known=shipped_place(name) if name in BUNDLED else None,
        )
        await asyncio.to_thread(stored_indexes.keep_used, self.settings.data_dir, folder)
        return index

    async def _open(self, name: str, progress: Progress | None) -> DomainPorts:
        domain = self.domain(name)
        year = datetime.datetime.now(datetime.UTC).year
        catalogue: CatalogueSource | StoredCatalogue | None = await self.catalogues.opened(name, self.embedder)
        if catalogue is None:
            index = await self._index(name, progress)
            catalogue = CatalogueSource(index, self.embedder, self.chinese_embedder, current_year=year)
        agent, dialogue = self.agents(catalogue.items(), own=name not in BUNDLED)
        source, wider = self.open_web.sources(catalogue, agent, domain.item_word, self._proposer)
        own = None if source is catalogue and wider is None else catalogue
        return DomainPorts(
            ports=Ports(agent=agent, source=source),
            wider=wider,
            own=own,
            agent=dialogue,
            reviews=catalogue,
            catalogue=catalogue,
            domain=domain,
            config=self.config,
            current_year=year,
            engine=self.engine,
            embedder=self.embedder.id,
            new_budget=self.budget,
            read_ahead=self.engine == "llm",
            max_message_chars=self.settings.max_message_chars,
        )

    def _proposer(self) -> TitleProposer | None:
        return self.language_model.proposer() if self.config.known_titles else None

    def budget(self, scope: str = "") -> Budget:
        """The budget of one turn of a conversation, or of one command."""
        settings = self.settings
        return Budget(
            seconds=settings.budget_seconds,
            agent_calls=settings.budget_agent_calls,
            tokens=settings.budget_tokens,
            cost=settings.budget_cost,
            searches=settings.budget_searches,
            pages=settings.budget_pages,
            scope=scope,
        )

    async def forget(self, conversation: str) -> None:
        """Delete what a conversation has left outside the store of conversations."""
        await self.allowances.forget(conversation)
        if self.engine == "llm":
            await self.language_model.forget(conversation)

    async def close(self) -> None:
        """Close what is open."""
        await self.allowances.close()
        await self.catalogues.close()
        if self.engine == "llm":
            await self.language_model.close()
        await self.open_web.close()
        await self.keeping.close()

    def agents(self, items: Sequence[Candidate], *, own: bool = False) -> tuple[PreferenceAgent, DialogueAgent]:
        """The agents of the engine; those of the built-in one are the reserve of the other. `own`: the catalogue is one
        whose columns we did not choose."""
        preferences = BuiltinAgent(
            parser=self._parser,
            embedder=self.embedder,
            vocabulary=vocabulary_of(items, own=own),
            titles=title_index((item.title, item.year) for item in items),
            chinese=self.chinese_embedder,
        )
        dialogue = BuiltinDialogueAgent(preferences=preferences, config=self.config)
        if self.engine == "builtin":
            return preferences, dialogue
        titles = tuple(item.title for item in items)
        return self.language_model.agents(
            self.config, preferences=preferences, dialogue=dialogue, titles=lambda: titles
        )

    def _close_owned(self, *, but: str) -> None:
        """Let go of the visitors' catalogues that were opened first; they are opened again when they are needed."""
        held = [name for name in self._ready if owned.is_owned(name) and name != but]
        for name in held[: max(len(held) + 1 - OWNED_OPEN, 0)]:
            del self._ready[name]
