"""Why an item is shown, from its labels, paths and quotes alone. Pure: nothing here can say what no source says."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from dialogue import wording
from dialogue.domain import Domain
from dialogue.models import Piece, QuotedSource
from pdgf.models import Label, Node, Polarity, PreferenceGraph, RankedItem, RelationLabel, normalised

QUOTED = 2  # quotes for what is met; the other wishes that are met are named
GENRES = "Genres: "  # a metadata line that says no more than the wish does


class Standing(NamedTuple):
    """How one item stands to one wish, and the quotes that show it."""

    wish: str
    label: Label
    quotes: tuple[str, ...]


def standings(item: RankedItem, graph: PreferenceGraph) -> tuple[Standing, ...]:
    """Every wish of the graph: the label of the item's own record at its node, or else the best label that another
    record of the item has for it as an ancestor. Hard wishes first, then in order pi."""
    nodes = sorted((graph.node_by_id[node] for node in graph.order), key=lambda node: not node.hard)
    found: dict[str, Standing] = {}
    for node in nodes:  # one wish may be two nodes, a reference's and the user's own
        standing = Standing(wish_of(node), *_label(item, node.id))
        known = found.setdefault(normalised(standing.wish), standing)
        if known.label is Label.NOT_ADDRESSED:
            found[normalised(standing.wish)] = standing
    return tuple(found.values())


def wish_of(node: Node) -> str:
    """A wish in the user's words, with its negation."""
    words = normalised(node.instantiation) if node.instantiation.isupper() else node.instantiation
    return wording.say("explain.denied", wish=words) if node.polarity is Polarity.AVOID else words


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
    keeping one of them away."""
    wanted = {node.id for node in graph.nodes if node.polarity is Polarity.WANT} or set(graph.order)
    labels = (label.label for found in item.judged.values() for node, label in found.items() if node in wanted)
    return any(label in (Label.SUPPORT, Label.PARTIAL) for label in labels)


def suits(item: RankedItem) -> bool:
    """Whether an item keeps every hard condition and nothing that is known of it speaks against any wish."""
    own = (labels[node].label for node, labels in item.judged.items() if node in labels)
    return item.demoted is None and Label.CONTRADICTS not in own


def unheard(items: Sequence[RankedItem], graph: PreferenceGraph) -> tuple[str, ...]:
    """The wishes of which nothing known of any item speaks."""
    found = [standings(item, graph) for item in items]
    spoken = {s.wish for standing in found for s in standing if s.label is not Label.NOT_ADDRESSED}
    return tuple(wish for wish in dict.fromkeys(s.wish for s in found[0]) if wish not in spoken) if found else ()


def reasons(item: RankedItem, graph: PreferenceGraph) -> tuple[str, ...]:
    """One or two sentences: what is met with quotes, then what is partly met, contradicted or not spoken of; before
    them, for a demoted item, the condition it breaks."""
    found = standings(item, graph)
    met = [standing for standing in found if standing.label is Label.SUPPORT]
    said: list[str] = []
    if item.demoted is not None:
        said.append(wording.say("explain.demoted", reason=item.demoted.rstrip(".")))
    if met:
        groups = _by_quote(met)
        parts = [_together(group, quoted=place < QUOTED) for place, group in enumerate(groups)]
        said.append(wording.say("explain.met", parts=wording.listed(parts)))
    told = normalised(item.demoted or "")
    rest = _rest([s for s in found if not (s.label is Label.CONTRADICTS and normalised(s.wish) in told)])
    if rest:
        said.append(wording.say("explain.rest" if met else "explain.only_rest", parts="; ".join(rest)))
    if item.unknown and item.demoted is None:
        said.append(wording.say("explain.unknown", parts=wording.listed(item.unknown)))
    return tuple(said)


def told_by_labels(item: RankedItem, graph: PreferenceGraph) -> tuple[Piece, ...]:
    """`reasons` as pieces, a sentence each; the sources of all its quotes come with the first."""
    said = reasons(item, graph)
    sources = quoted_sources(item, graph)
    return tuple(
        Piece(text=f" {sentence}" if place else sentence, sources=() if place else sources)
        for place, sentence in enumerate(said)
    )


def quoted_sources(item: RankedItem, graph: PreferenceGraph) -> tuple[QuotedSource, ...]:
    """The quotes that `reasons` gives, each with the first source it stands in."""
    found: dict[str, QuotedSource] = {}
    limits = {Label.SUPPORT: QUOTED, Label.PARTIAL: 1, Label.CONTRADICTS: len(graph.nodes)}
    for label, limit in limits.items():
        alike = [s for s in standings(item, graph) if s.label is label]
        chosen = [group[0] for group in _by_quote(alike)] if label is Label.SUPPORT else alike
        for standing in chosen[:limit]:
            for quote in standing.quotes[:1]:
                if (source := source_of(item, quote)) is not None:
                    found[quote] = source
    return tuple(found.values())


def source_of(item: RankedItem, quote: str) -> QuotedSource | None:
    """A quote of an item's evidence with the first source it stands in; None where it stands in none."""
    source = next((source for record in item.evidence for source in record.sources_of(quote)), None)
    if source is None:
        return None
    return QuotedSource(
        item=item.candidate.id, title=item.candidate.title, quote=quote, source=source.id, url=source.url
    )


def in_the_way(items: Sequence[RankedItem], graph: PreferenceGraph) -> str | None:
    """The hard wish that most of the demoted items break; of equal ones the one said first."""
    hard = [node for node in graph.nodes if node.hard]
    broken = Counter(node.id for item in items if item.demoted is not None for node in hard if _breaks(item, node))
    return next((wish_of(node) for node in hard if broken and broken[node.id] == max(broken.values())), None)


def _breaks(item: RankedItem, node: Node) -> bool:
    own = item.judged.get(node.id, {}).get(node.id)
    if own is not None and own.label is Label.CONTRADICTS:
        return True
    return normalised(node.instantiation) in normalised(item.demoted or "")


def _label(item: RankedItem, node: str) -> tuple[Label, tuple[str, ...]]:
    own = item.judged.get(node, {}).get(node)
    if own is not None and own.label is not Label.NOT_ADDRESSED:
        return own.label, own.quotes
    others = [found[node] for at, found in sorted(item.judged.items()) if node in found and at != node]
    best = max(others, key=_worth, default=RelationLabel(label=Label.NOT_ADDRESSED))
    return (best.label, best.quotes) if _worth(best) else (Label.NOT_ADDRESSED, ())


def _worth(label: RelationLabel) -> int:
    return {Label.SUPPORT: 2, Label.PARTIAL: 1}.get(label.label, 0)


def _rest(found: Sequence[Standing]) -> list[str]:
    partly = [standing for standing in found if standing.label is Label.PARTIAL]
    against = [standing for standing in found if standing.label is Label.CONTRADICTS]
    silent = [standing for standing in found if standing.label is Label.NOT_ADDRESSED]
    rest: list[str] = []
    if partly:
        parts = [_quoted(standing) if place < 1 else _named(standing) for place, standing in enumerate(partly)]
        rest.append(wording.say("explain.partly", parts=wording.listed(parts)))
    if against:
        rest.append(wording.say("explain.against", parts=wording.listed([_quoted(standing) for standing in against])))
    if silent:
        rest.append(wording.say("explain.silent", parts=wording.listed([_named(s) for s in silent], last="or")))
    return rest


def _by_quote(met: Sequence[Standing]) -> list[list[Standing]]:
    """Wishes that one quote shows, together. What shows most comes first, a bare list of genres last."""
    groups: dict[str, list[Standing]] = {}
    for standing in met:
        groups.setdefault(standing.quotes[0] if standing.quotes else "", []).append(standing)
    order = list(groups)
    return [
        groups[q]
        for q in sorted(groups, key=lambda q: (not q or q.startswith(GENRES), -len(groups[q]), order.index(q)))
    ]


def _together(group: Sequence[Standing], *, quoted: bool) -> str:
    names = wording.listed([_named(standing) for standing in group])
    quotes = group[0].quotes
    return wording.say("explain.shown", wishes=names, quote=quotes[0]) if quoted and quotes else names


def _quoted(standing: Standing) -> str:
    if not standing.quotes:
        return _named(standing)
    return wording.say("explain.part", wish=standing.wish, quote=standing.quotes[0])


def _named(standing: Standing) -> str:
    return wording.say("explain.named", wish=standing.wish)
