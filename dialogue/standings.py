"""How an item stands to each wish: by the labels of its records, in the user's own words for the wish. Pure."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from dialogue import wording
from dialogue.domain import Domain
from dialogue.models import QuotedSource
from dialogue.wish_words import bare, refuses
from pdgf.glossary import has_han
from pdgf.likeness import liked_in, traits_in
from pdgf.models import Label, Node, Polarity, PreferenceGraph, RankedItem, RelationLabel, normalised

_DEGREE: Final = re.compile(
    r"(?:not|nothing|isn['’]t|never) (?P<degree>too much|mostly|mainly|overly|too|very|so|all about)", re.IGNORECASE
)
_LITTLE: Final = re.compile(r"(?:very )?(?:little|less|few|fewer|hardly any|barely any|low|minimal)\b", re.IGNORECASE)
# What nobody is to do or suffer is told in these words: "nobody dies", "no animal dies"
_OF_NOBODY: Final = re.compile(
    r"nobody|no[- ]one|without any(?:one|body)(?: being| getting)?|(?:without|not) a single", re.IGNORECASE
)
_HAPPENS: Final = re.compile(r".+\s(?:dies?|suffers?|gets?\s\w+|(?:is|are)(?:\sbeing)?\s\w+)", re.IGNORECASE)
MARKS: Final = {
    Label.SUPPORT: "supports",
    Label.PARTIAL: "partly",
    Label.CONTRADICTS: "contradicts",
    Label.NOT_ADDRESSED: "silent",
}


class Standing(NamedTuple):
    """How one item stands to one wish, the quotes that show it, and the node that says so."""

    wish: str
    label: Label
    quotes: tuple[str, ...]
    node: str = ""


def standings(item: RankedItem, graph: PreferenceGraph) -> tuple[Standing, ...]:
    """Every wish of the graph: the label of the item's own record at its node, or else the best label that another
    record of the item has for it as an ancestor. Hard wishes first, then in order pi."""
    nodes = sorted((graph.node_by_id[node] for node in graph.order), key=lambda node: not node.hard)
    found: dict[str, Standing] = {}
    for node in nodes:  # one wish may be two nodes, a reference's and the user's own
        standing = Standing(wish_of(node), *_label(item, node.id), node.id)
        known = found.setdefault(normalised(standing.wish), standing)
        if known.label is Label.NOT_ADDRESSED:
            found[normalised(standing.wish)] = standing
    return tuple(found.values())


def best_path(item: RankedItem) -> tuple[str, ...]:
    """The path that won at the item's best node, root first (METHOD 7.2); empty for an item that was never scored."""
    return max(item.paths, key=lambda path: path.score).path if item.paths else ()


def marks(item: RankedItem, graph: PreferenceGraph) -> dict[str, str]:
    """How the item stands to each node of the graph, by its id: supports, partly, contradicts or silent."""
    return {node: MARKS[_label(item, node)[0]] for node in graph.order}


def wish_of(node: Node) -> str:
    """A wish in the user's words, with its negation."""
    if traits := traits_in(node.instantiation):
        return wording.say("explain.alike", title=liked_in(node.instantiation), traits=wording.listed(traits))
    words = normalised(node.instantiation) if node.instantiation.isupper() else node.instantiation
    if _LITTLE.fullmatch(node.strength) and not _LITTLE.match(words):
        words = f"{normalised(node.strength)} {words}"
    if node.polarity is not Polarity.AVOID or _LITTLE.match(words):
        return words  # "less scary" is denied by its own words
    strength = normalised(node.strength)
    if _OF_NOBODY.fullmatch(strength) or (strength == "no" and _HAPPENS.fullmatch(words)):
        return f"{strength} {words}"
    words = bare(words) if refuses(words) else words
    if has_han(words):
        return wording.denied_in_chinese(words, node.strength)
    degree = _DEGREE.fullmatch(node.strength.strip())
    return wording.say("explain.denied", wish=f"{normalised(degree['degree'])} {words}" if degree else words)


def citable(graph: PreferenceGraph, domain: Domain) -> PreferenceGraph:
    """The graph without the wishes that an explanation does not speak of (`in_explanation`, METHOD 9.3), unless there
    are no others."""
    kept = {node.id for node in graph.nodes if domain.row(domain.key_of(node.perspective)).in_explanation}
    if not kept:
        return graph
    return graph.model_copy(
        update={
            "nodes": tuple(node for node in graph.nodes if node.id in kept),
            "edges": tuple(edge for edge in graph.edges if kept.issuperset(edge.ends)),
            "order": tuple(node for node in graph.order if node in kept),
        }
    )


def fits(item: RankedItem, graph: PreferenceGraph) -> bool:
    """Whether anything known of the item speaks for something that is wanted, or, where things are only unwanted, for
    keeping one of them away. Where nothing is wished for, everything fits."""
    if not graph.nodes:
        return True
    wanted = {node.id for node in graph.nodes if node.polarity is Polarity.WANT} or set(graph.order)
    labels = (label.label for found in item.judged.values() for node, label in found.items() if node in wanted)
    return any(label in (Label.SUPPORT, Label.PARTIAL) for label in labels)


def falls_short(item: RankedItem, graph: PreferenceGraph) -> bool:
    """Whether something known of an item speaks against a wish, or for a must only in part."""
    return any(short_of(standing, graph) for standing in standings(item, graph))


def short_of(standing: Standing, graph: PreferenceGraph) -> bool:
    """Whether a standing is a failing: against a wish, or a must that is met only in part."""
    partly_must = standing.label is Label.PARTIAL and graph.node_by_id[standing.node].hard
    return standing.label is Label.CONTRADICTS or partly_must


def suits(item: RankedItem) -> bool:
    """Whether an item keeps every hard condition and nothing that is known of it speaks against any wish."""
    own = (labels[node].label for node, labels in item.judged.items() if node in labels)
    return item.demoted is None and Label.CONTRADICTS not in own


def unheard(items: Sequence[RankedItem], graph: PreferenceGraph) -> tuple[str, ...]:
    """The wishes of which nothing known of any item speaks."""
    found = [standings(item, graph) for item in items]
    spoken = {s.wish for standing in found for s in standing if s.label is not Label.NOT_ADDRESSED}
    return tuple(wish for wish in dict.fromkeys(s.wish for s in found[0]) if wish not in spoken) if found else ()


def source_of(item: RankedItem, quote: str) -> QuotedSource | None:
    """A quote of an item's evidence with the first source it stands in; None where it stands in none."""
    source = next((source for record in item.evidence for source in record.sources_of(quote)), None)
    if source is None:
        return None
    return QuotedSource(
        item=item.candidate.id, title=item.candidate.title, quote=quote, source=source.id, url=source.url
    )


def _label(item: RankedItem, node: str) -> tuple[Label, tuple[str, ...]]:
    own = item.judged.get(node, {}).get(node)
    if own is not None and own.label is not Label.NOT_ADDRESSED:
        return own.label, own.quotes
    others = [found[node] for at, found in sorted(item.judged.items()) if node in found and at != node]
    best = max(others, key=_worth, default=RelationLabel(label=Label.NOT_ADDRESSED))
    return (best.label, best.quotes) if _worth(best) else (Label.NOT_ADDRESSED, ())


def _worth(label: RelationLabel) -> int:
    return {Label.SUPPORT: 2, Label.PARTIAL: 1}.get(label.label, 0)
