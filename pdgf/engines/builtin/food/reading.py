"""The graph of a request for something to cook or eat, and which requests are for that (METHOD 4.2, 4.3)."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pdgf.engines.builtin.attachments import Attachment
from pdgf.engines.builtin.column_mentions import quantities_of_columns
from pdgf.engines.builtin.food.knowledge import food_lexicon, food_mentions
from pdgf.engines.builtin.food.wishes import FoodWish, food_wishes
from pdgf.engines.builtin.reading import Analysis
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Aspect, Atom, Node, Polarity, node_id
from pdgf.ports import Span

if TYPE_CHECKING:
    from spacy.tokens import Doc

_CONFIDENCE = 0.7
_QUALITIES = frozenset({"taste", "texture", "temperature", "colour", "style", "preparation"})
_HEADS = (frozenset({"dish"}), frozenset({"course"}), frozenset({"ingredient"}))


def analyse_food(
    doc: "Doc", narrative: str, vocabulary: Vocabulary, hard_spans: Sequence[Span] | None
) -> Analysis | None:
    """Read a parsed request for food; None for one that is for something else, or in which no wish is found."""
    if not vocabulary.may_be_dishes or not (vocabulary.dishes or asks_for_food(doc.text)):
        return None
    atoms, nodes = food_nodes(
        food_wishes(doc, priced=vocabulary.priced, asked=quantities_of_columns(doc.text, vocabulary)),
        narrative,
        hard_spans,
    )
    if not nodes:
        return None
    links = (
        Attachment(base=base.id, qualifier=node.id, cue="", aspect=Aspect.TARGET, confidence=_CONFIDENCE)
        for base, node in food_links(nodes, narrative)
    )
    return Analysis(atoms=tuple(atoms), nodes=tuple(nodes), attachments=tuple(links))


def food_nodes(
    wishes: Sequence[FoodWish], narrative: str, hard_spans: Sequence[Span] | None
) -> tuple[list[Atom], list[Node]]:
    """An atom and a node of each wish; hardness is that of the spans, where they are given."""
    atoms: list[Atom] = []
    nodes: list[Node] = []
    for wish in wishes:
        said = (wish.said_from, wish.span[1])
        hard = wish.hard
        if hard_spans is not None:
            hard = any(start < said[1] and said[0] < end for start, end in hard_spans)
        words, polarity = narrative[slice(*wish.span)], Polarity.AVOID if wish.avoid else Polarity.WANT
        identity = node_id(narrative[slice(*said)], wish.perspective, words, polarity)
        if any(node.id == identity for node in nodes):
            continue
        number = len(atoms) + 1
        atoms.append(Atom(id=f"a{number}", text=narrative[slice(*said)], span=said, hard=hard))
        nodes.append(
            Node(
                id=identity,
                atom=f"a{number}",
                perspective=wish.perspective,
                instantiation=words,
                polarity=polarity,
                hard=hard,
                order=len(nodes),
                span=wish.span,
                strength=wish.strength,
            )
        )
    return atoms, nodes


def food_links(nodes: Sequence[Node], narrative: str) -> list[tuple[Node, Node]]:
    """(base, qualifier): what is said of the dish or food that a sentence asks for, the form before the ingredient."""
    links: list[tuple[Node, Node]] = []
    for here in _by_sentence(nodes, narrative):
        base = next(
            (node for kind in _HEADS for node in here if node.perspective in kind and node.polarity is Polarity.WANT),
            None,
        )
        if base is not None:
            links += [(base, node) for node in here if node is not base and node.perspective in _QUALITIES]
    return links


def _by_sentence(nodes: Sequence[Node], narrative: str) -> list[list[Node]]:
    ends = [match.end() for match in re.finditer(r"[.!?](?=\s|$)", narrative)]
    found: dict[int, list[Node]] = {}
    for node in nodes:
        found.setdefault(sum(end <= node.span[0] for end in ends), []).append(node)
    return list(found.values())


# ---- whether a request is for food ----------------------------------------------------------------------------------

_COOKING = re.compile(
    r"\b(?:recipes?|cook(?:ing)?|bak(?:e|ing)|dish(?:es)?|meals?|foods?|eat(?:ing)?|drinks?|snacks?|desserts?|breakfast"
    r"|lunch|dinner|supper|brunch|cuisine|ingredients?|appetizers?|make|making|prepare|craving|leftovers?)\b",
    re.IGNORECASE,
)
_OTHER_THINGS = re.compile(
    r"\b(?:films?|movies?|books?|novels?|anime|manga|tv series|tv shows?|restaurants?|cafes?|cafés?|bistros?"
    r"|(?:place|somewhere|where) to (?:eat|go|drink|dine))\b",
    re.IGNORECASE,
)
_SURELY = re.compile(r"\b(?:recipes?|cook|bake|make|making|snacks?|dish(?:es)?)\b", re.IGNORECASE)


_OF_FOOD = frozenset({"ingredient", "dish", "course", "meal", "diet", "taste", "texture", "preparation", "amount"})


def asks_for_food(text: str) -> bool:
    """Whether a request, of which nothing else is known, is for something to cook or eat."""
    concepts = food_lexicon().concepts
    named = [name for mention in food_mentions(text, wish=True) for name in mention.concepts]
    of_food = any(concepts[name].perspective in _OF_FOOD for name in named)
    if _OTHER_THINGS.search(text) and not _SURELY.search(text):
        return False
    return bool(named) and (of_food or bool(_COOKING.search(text)))
