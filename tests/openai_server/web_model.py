"""A sensible model for the small web: what it says of a narrative is told, what it says of pages follows from them.

The graph, the descriptions and the searches of a narrative are a tale (`web_tales`). Records and labels are not: they
come from the text that a request shows and from nothing else, by rules. Which names a chunk gives to items is read off
its typography (a year in brackets, title marks, the row of a table); a sentence belongs to the item that it names or
that was named last; it bears on a description where it holds a cue of what the description speaks of.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pdgf.texts import sentences
from tests.openai_server.requests import ChatRequest, Reply, Script
from tests.openai_server.town_model import blocks, labels_by, rows

MOST_PASSAGES = 6  # of a record, as the prompt asks

_WORD = r"(?:Mr\.|[A-Z0-9&][\w'’!-]*)"
_NAME = rf"{_WORD}(?:[,!]?(?: (?:of|and|to|the|a|for|with|from|at)){{0,3}} {_WORD})*!?"
_DATED = re.compile(rf"(?P<name>{_NAME})(?: by [^()\n]{{3,60}})? \((?P<year>\d{{4}})\)")
_DEFINED = re.compile(rf"^(?P<name>{_NAME})(?:,[^.\n]*,)? is an? (?P<year>\d{{4}}) ", re.MULTILINE)
_ALONE = re.compile(rf"^(?P<name>{_WORD}(?: \w+)? \S+(?: \S+){{0,3}})[.!,] ", re.MULTILINE)
_MARKED = re.compile(r"《(?P<name>[^》\n]{1,20})》(?:（(?P<year>\d{4})）)?")
_ROW = re.compile(r"^(?P<name>[^\n]{2,60})\n(?P<year>\d{4})$", re.MULTILINE)
_LEADING = re.compile(r"^(?:(?:In|Or|So|But|And|Try|As) (?=[A-Z])|.+ of (?=The ))")
_OWNED = re.compile(r"^(?:[A-Z]\w+ )?[A-Z]\w+['’]s (?=[A-Z])")
_STOP = re.compile(r"[.!?。！？…][\"”’)）]*$")
_HEADING_CHARS = 90
_FEWEST_WORDS = 3  # of a title that nothing marks: two words with capitals are mostly a person
_WITHOUT = re.compile(r"\bwithout\b|没有")


@dataclass(frozen=True, kw_only=True)
class Wish:
    """One node that the model reads from the narrative, its f_v, and the words that it searches for it.

    `atom` and `words` stand in the narrative. What `shows` that the named thing is there, and what it `lacks`, are
    patterns of a text: a description is understood by them, and a sentence of a page bears on it by them.
    """

    perspective: str
    instantiation: str
    atom: str
    feature: str
    search: str
    shows: str
    lacks: str = r"(?!)"
    words: str = ""
    kind: str = "criterion"
    key: str = "others"
    hard: bool = False
    avoid: bool = False
    strength: str = ""

    def bears_on(self, sentence: str) -> bool:
        return bool(re.search(f"{self.shows}|{self.lacks}", sentence, re.IGNORECASE))


@dataclass(frozen=True, kw_only=True)
class Tale:
    """What the model makes of one narrative: wishes, edges by place (base, qualifier, words), titles known already."""

    language: str
    wishes: tuple[Wish, ...]
    edges: tuple[tuple[int, int, str], ...] = ()
    references: tuple[str, ...] = ()

    def by_instantiation(self, instantiation: str) -> Wish:
        return next(wish for wish in self.wishes if wish.instantiation == instantiation)

    def by_feature(self, feature: str) -> Wish:
        return next(wish for wish in self.wishes if wish.feature == feature)


class Named(NamedTuple):
    """A name that a text gives to an item, and the year that stands with it."""

    name: str
    year: int | None


def told(tale: Tale) -> Script:
    """The model that knows a tale. A prompt that it was not made for, or a description of another's, is an error."""

    def script(request: ChatRequest) -> Reply:
        return REPLIES[request.prompt](tale, blocks(request.user))

    return script


def read_graph(tale: Tale, given: dict[str, str]) -> Any:
    narrative = " ".join(given["narrative"].split())
    texts = list(dict.fromkeys([*(wish.atom for wish in tale.wishes), *tale.references]))
    missing = [text for text in texts if text not in narrative]
    if missing:
        raise ValueError(f"not in the narrative: {missing}")
    ids = {text: f"a{number}" for number, text in enumerate(texts, start=1)}
    of_atom = {wish.atom: wish for wish in reversed(tale.wishes)}
    atoms = [
        {"id": ids[text], "text": text, "kind": of_atom[text].kind, "hard": of_atom[text].hard}
        if text in of_atom
        else {"id": ids[text], "text": text, "kind": "reference"}
        for text in texts
    ]
    nodes = [
        {
            "id": f"n{number}",
            "atom": ids[wish.atom],
            "perspective": wish.perspective,
            "instantiation": wish.instantiation,
            "words": wish.words,
            "strength": wish.strength,
            "polarity": "avoid" if wish.avoid else "want",
        }
        for number, wish in enumerate(tale.wishes, start=1)
    ]
    edges = [
        {"base": f"n{base}", "qualifier": f"n{qualifier}", "words": words, "aspect": "target", "confidence": 0.9}
        for base, qualifier, words in tale.edges
    ]
    return {"language": tale.language, "atoms": atoms, "nodes": nodes, "edges": edges}


def describe(tale: Tale, given: dict[str, str]) -> Any:
    return {
        "descriptions": [
            {"number": node["number"], "text": tale.by_instantiation(node["instantiation"]).feature}
            for node in rows(given["preferences"])
        ]
    }


def rewrite_queries(tale: Tale, given: dict[str, str]) -> Any:
    pairs = [rows(text)[0] for name, text in given.items() if name.startswith("pair")]
    queries = []
    for pair in pairs:
        ends = [end["instantiation"] for end in (pair["base"], pair["node"]) if end is not None]
        words = " ".join(tale.by_instantiation(end).search for end in ends)
        queries.append({"number": pair["number"], "text": " ".join(dict.fromkeys(words.split()))})
    return {"queries": queries}


def extract_candidates(tale: Tale, given: dict[str, str]) -> Any:
    wish = tale.by_feature(given["preference"])
    found: dict[Named, list[str]] = {}
    for named, sentence in told_of(given["page"]):
        if wish.bears_on(sentence):
            found.setdefault(named, []).append(sentence)
    return {
        "records": [
            {"name": named.name, "year": named.year, "passages": list(dict.fromkeys(said))[:MOST_PASSAGES]}
            for named, said in found.items()
        ]
    }


def label_relations(tale: Tale, given: dict[str, str]) -> Any:
    return labels_by(given, lambda text, feature: _label(text, tale.by_feature(feature)))


def understand(tale: Tale, given: dict[str, str]) -> Any:
    said = given["utterance"]
    if said.rstrip().endswith(("?", "？")):
        return {"intents": ["inquire"], "wishes": [], "questions": [said], "about": [1] if "first" in said else []}
    wishes = [
        {"text": wish.atom, "key": wish.key, "hard": wish.hard, "avoid": wish.avoid}
        for wish in tale.wishes
        if wish.atom in said
    ]
    return {"intents": ["provide_preference"], "wishes": wishes}


def explain(tale: Tale, given: dict[str, str]) -> str:
    told_quotes: dict[str, str] = {}
    for wish in rows(given["wishes"]):
        for evidence in wish["evidence"][:1]:
            told_quotes.setdefault(evidence["id"], evidence["quote"])
    return " ".join(f"It is said that “{quote}” [{mark}]." for mark, quote in list(told_quotes.items())[:3])


def answer(tale: Tale, given: dict[str, str]) -> str:
    """The sentence of the passages that shares most words with the question, quoted; UNKNOWN where none does."""
    asked = _stems(given["question"])
    said = [
        (len(asked & _stems(sentence)), sentence, mark)
        for mark, text in given.items()
        if re.fullmatch(r"p\d+", mark)
        for sentence in sentences(text)
    ]
    shared, sentence, mark = max(said, default=(0, "", ""))
    return f"It is put like this: “{sentence}” [{mark}]." if shared else "UNKNOWN"


REPLIES: dict[str, Callable[[Tale, dict[str, str]], Reply]] = {
    "probe": lambda tale, given: {"ok": True},
    "read_graph": read_graph,
    "describe": describe,
    "rewrite_queries": rewrite_queries,
    "extract_candidates": extract_candidates,
    "label_relations": label_relations,
    "understand": understand,
    "explain": explain,
    "answer": answer,
}


def names_of(chunk: str) -> list[Named]:
    """The items that a chunk names in a way that tells a title from other words, the longest names first."""
    found: dict[str, int | None] = {}
    for pattern in (_ROW, _DATED, _DEFINED, _MARKED, _ALONE):
        for match in pattern.finditer(chunk):
            fields = match.groupdict()
            name = _as_title(fields["name"], chunk) if pattern is not _MARKED else fields["name"]
            if pattern is _ALONE and not (re.fullmatch(_NAME, name) and len(name.split()) >= _FEWEST_WORDS):
                continue
            year = fields.get("year")
            found[name] = int(year) if year else found.get(name)
    return [Named(name, found[name]) for name in sorted(found, key=len, reverse=True)]


def told_of(chunk: str) -> Iterator[tuple[Named, str]]:
    """Each sentence of a chunk with the items that it is about: those that it names, or the last one named before it in
    its paragraph, or else the one of the heading, the row of a table or the whole page. Headings have no stop."""
    names = names_of(chunk)
    lines = [line for line in chunk.split("\n") if line.strip()]
    heads = _named_in(lines[0], names) if lines else []
    page = heads[0] if len(heads) == 1 else None
    section, in_table = page, False
    for place, line in enumerate(lines):
        named = _named_in(line, names)
        if place + 1 < len(lines) and re.fullmatch(r"\d{4}", lines[place + 1]) and named:
            section, in_table = named[0], True
            continue
        if len(line) > _HEADING_CHARS or _STOP.search(line):
            section, in_table = (page if in_table else section), False
        elif not in_table:
            section = named[0] if named else page
            continue
        subject = section
        for sentence in sentences(line):
            named = _named_in(sentence, names)
            subject = named[-1] if named else subject
            yield from ((each, sentence) for each in named or ([subject] if subject else []))


def _as_title(name: str, chunk: str) -> str:
    """A name without the words before it that only its place in the sentence has put there: a maker's name is no part
    of a title that the chunk also writes without it."""
    name = _LEADING.sub("", name)
    shorter = _OWNED.sub("", name)
    alone = re.search(rf"(?<!['’]s ){re.escape(shorter)}", chunk) if shorter != name else None
    return shorter if alone else name


def _named_in(text: str, names: Sequence[Named]) -> list[Named]:
    """The items that a text names, in the order in which it does; a name inside a longer one is not named itself."""
    places: list[tuple[int, Named]] = []
    for named in names:
        pattern = rf"(?<![A-Za-z]){re.escape(named.name)}(?![A-Za-z])"
        places += [(match.start(), named) for match in re.finditer(pattern, text)]
        text = re.sub(pattern, lambda match: "\0" * len(match[0]), text)
    return list(dict.fromkeys(named for _, named in sorted(places)))


def _label(text: str, wish: Wish) -> dict[str, Any]:
    """What a text says of the thing that a description names: the first sentence for it and the first against it."""
    said = [sentence for line in text.split("\n") for sentence in sentences(line)]
    lacking = [each for each in said if re.search(wish.lacks, each, re.IGNORECASE)]
    showing = [each for each in said if each not in lacking and re.search(wish.shows, each, re.IGNORECASE)]
    if showing and lacking:
        return {"quotes": [showing[0], lacking[0]], "label": "PARTIAL"}
    wanted, unwanted = (lacking, showing) if _WITHOUT.search(wish.feature) else (showing, lacking)
    if wanted:
        return {"quotes": wanted[:1], "label": "SUPPORT"}
    return {"quotes": unwanted[:1], "label": "CONTRADICTS" if unwanted else "NOT_ADDRESSED"}


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:5] for word in re.findall(r"\w{4,}", text.casefold()))
