"""The TitleProposer on a language model: what it names is a lead to search for, and nothing more."""

import re
from collections.abc import Iterable

from pydantic import Field

from pdgf.engines.llm_replies import Reply, Text, Year
from pdgf.errors import ModelFailed, StepFailed
from pdgf.identity import group_identities
from pdgf.llm.calls import Role
from pdgf.llm.prompt_files import load
from pdgf.llm.structured import StructuredModel
from pdgf.ports import ProposedTitle
from pdgf.texts import clean, collapsed
from pdgf.usage import Budget

NAME_CHARS = 120  # longer "titles" are sentences

_YEAR_BEHIND = re.compile(r"\s*[(\[](?P<year>1[89]\d\d|20\d\d)[)\]]$")


class TitleRow(Reply):
    """One title."""

    name: Text = Field(description="the title alone, in one line, without the year")
    year: Year = Field(default=None, description="its year of release, only if you are sure of it")


class TitlesReply(Reply):
    """What may fit a narrative."""

    titles: tuple[TitleRow, ...] = Field(description="different items, the most fitting first; may be empty")


class LLMTitles:
    """A TitleProposer by one prompt. Whatever goes wrong with it costs the proposals and nothing else."""

    def __init__(self, model: StructuredModel) -> None:
        self._model = model

    async def propose_titles(self, narrative: str, item_word: str, limit: int, budget: Budget) -> list[ProposedTitle]:
        """None, with a setback, where the reply is unusable or the model gives no service; none, without a call, once
        it has been given up in this turn."""
        if limit < 1 or budget.gave_up_model():
            return []
        prompt = load("pdgf/propose_titles", TitlesReply)
        try:
            reply = await self._model.ask(
                prompt.render(narrative=narrative, item_word=item_word, limit=limit),
                TitlesReply,
                role=Role.MAIN,
                max_tokens=200 + 40 * limit,
                budget=budget,
            )
        except StepFailed:
            budget.set_back("propose_titles", "unreadable")
            return []
        except ModelFailed as error:
            budget.set_back("propose_titles", error.why)
            return []
        return titles_of(reply.titles, limit)


def titles_of(rows: Iterable[TitleRow], limit: int) -> list[ProposedTitle]:
    """The first `limit` different items of a reply (METHOD 6.3), names that are none left out. Pure.

    A year in brackets behind a name is its year; an item that is named with and without one is the one with it.
    """
    named = [title for row in rows if (title := _title(row)) is not None]
    items = group_identities([(title.name, title.year) for title in named])
    distinct: dict[int, ProposedTitle] = {}
    for item, title in zip(items, named, strict=True):
        known = distinct.setdefault(item, title)
        if known.year is None and title.year is not None:
            distinct[item] = title
    return list(distinct.values())[:limit]


def _title(row: TitleRow) -> ProposedTitle | None:
    text = clean(row.name)
    if "\n" in text or len(text) > NAME_CHARS:
        return None
    behind = _YEAR_BEHIND.search(text)
    name = collapsed(text[: behind.start()] if behind else text)
    if not any(map(str.isalnum, name)):
        return None
    year = row.year if row.year is not None else int(behind["year"]) if behind else None
    return ProposedTitle(name=name, year=year if year is not None and 1_000 <= year <= 9_999 else None)
