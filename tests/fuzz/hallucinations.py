"""What a language model makes up about true pages: sequels, years, titles and quotes (LLM09)."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from pdgf.consolidation import Recall, consolidate
from pdgf.engines.llm import LLMAgent
from pdgf.llm.structured import StructuredModel
from pdgf.models import Label
from pdgf.ports import ExtractionRequest, RelationRequest
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.fakes import VocabularyAgent
from tests.pdgf.llm.scripted_model import ScriptedModel

FILMS = (
    ("Salt Winter", 1999, "is slow, dry and set in a town of four hundred people"),
    ("Moth Season", 2016, "is loud from its first minute, and its moths carry letters"),
    ("Nine Lanterns", 2004, "has two sisters who bicker across a lake for a hundred minutes"),
    ("青瓦食堂", 2018, "没有反派，整部动画节奏很慢"),
    ("Тихая мельница", 2011, "рассказывает о мельнице и о соседе, который не умеет молчать"),
)
CHUNK = "\n".join(f"{title} ({year}) {said}." for title, year, said in FILMS)


class Invented(NamedTuple):
    """What was made up: a row of a reply, and whether it holds a name, a year or a quote that is nobody's."""

    kind: str
    row: dict[str, Any]


def invented_records() -> Iterator[Invented]:
    """Records of which something stands nowhere, or belongs to another film."""
    for place, (title, year, said) in enumerate(FILMS):
        other, its_year, its_words = FILMS[(place + 1) % len(FILMS)]
        for sequel in (
            f"{title} 2",
            f"{title} II",
            f"{title}: The Return",
            f"{title} Returns",
            f"Return to {title}",
            f"{title} 2049",
        ):
            yield Invented("name", {"name": sequel, "year": year, "passages": [said]})
        for wrong in (year + 1, year - 10, its_year, 2049, 1900, 99, -1, 10**9):
            yield Invented("year", {"name": title, "year": wrong, "passages": [said]})
        for nobody in (
            "The Golden Dragon",
            "Untitled",
            "Film A",
            f"{title} and {other}",
            title[: len(title) // 2] + " Zz",
        ):
            yield Invented("name", {"name": nobody, "year": its_year, "passages": [its_words]})
        for fake in (
            "the best film of its decade",
            f"{said} and won nine prizes",
            said.replace(" ", " not ", 1) + "!",
            "9.1/10 from critics",
            "很感人的结局",
        ):
            yield Invented("quote", {"name": title, "year": year, "passages": [fake]})


def invented_labels() -> Iterator[tuple[str, dict[str, Any]]]:
    """A text and a label on it whose quote is not in it."""
    for place, (title, _, said) in enumerate(FILMS):
        text = f"{title} {said}."
        its_words = FILMS[(place + 1) % len(FILMS)][2]
        for label in ("SUPPORT", "PARTIAL", "CONTRADICTS"):
            for quote in (its_words, "simply the best", f"{said} with parking", said[::-1], "", "it", "..."):
                yield text, {"number": 1, "label": label, "quotes": [quote]}


async def shown_as_true() -> tuple[int, list[str]]:
    """How many inventions were tried, and those that came through as supported."""
    wrong: list[str] = []
    tried = 0
    titles, years = {title for title, _, _ in FILMS}, {title: year for title, year, _ in FILMS}
    for kind, row in invented_records():
        tried += 1
        found = await _agent({"records": [row]}).extract_candidates(
            [ExtractionRequest(chunk=CHUNK, feature="The film is slow.")], "film", Budget()
        )
        recalls = [Recall(node="n", url="https://a.example", chunk=CHUNK, record=record) for record in found[0]]
        kept = consolidate(recalls, MethodConfig())
        for item in kept.candidates:
            if item.title not in titles or item.year not in (None, years[item.title]):
                wrong.append(f"{kind}: {item.title} ({item.year})")
        wrong += [
            f"{kind}: {passage.text}"
            for evidence in kept.evidence
            for passage in evidence.passages
            if passage.text not in CHUNK
        ]
    for text, row in invented_labels():
        tried += 1
        [label] = await _agent({"labels": [row]}).label_relations(
            [RelationRequest(text=text, feature="The film is quiet.")], Budget()
        )
        if label.label is not Label.NOT_ADDRESSED:
            wrong.append(f"label: {row['label']} by {row['quotes']}")
    return tried, wrong


def _agent(reply: Any) -> LLMAgent:
    return LLMAgent(StructuredModel(ScriptedModel(json.dumps(reply))), reserve=VocabularyAgent({}))
