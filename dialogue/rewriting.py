"""Edits made by hand as changes of the wishes and of their words. Pure.

    edit of a node     the words that it was read from, where they were said
    edit of a value    the words of the value
                       -> state and requests after it, from which the narrative is rendered (METHOD 10)

Words are cut and changed where they stand, so that the rest of a story keeps its sense; a wish that is added or turned
round is told in a sentence of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dialogue.domain import Domain
from dialogue.edits import Act, Edit, cleaned
from dialogue.models import ConstraintValue, DialogueState, EditKind, KeptUtterance, Mention, StateEdit
from dialogue.narrative import Narrative
from dialogue.record import values_of
from dialogue.shared_denials import bereft
from dialogue.spans import inside, overlaps
from dialogue.state import apply_edits
from dialogue.wish_words import DENIED, refused
from pdgf.models import Polarity, PreferenceGraph, normalised

Said = tuple[int, int, int]  # turn, start, end: where in which utterance words stand
Standing = tuple[str, ConstraintValue, bool]  # key, value, whether it is a must


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What edits work on: the state, the utterances it was said in, and where each node's words stand in them."""

    state: DialogueState
    requests: tuple[KeptUtterance, ...]
    located: Mapping[str, Said]


def located(graph: PreferenceGraph, told: Narrative, requests: Sequence[KeptUtterance]) -> dict[str, Said]:
    """Where the words of each node were said. The narrative tells it; where the wishes have changed since it was
    rendered, the latest utterance that holds the words does. Nodes whose words stand nowhere are left out."""
    found: dict[str, Said] = {}
    for node in graph.nodes:
        said = told.said(node.span) if told.text == graph.narrative else None
        for words in (graph.narrative[slice(*node.span)].strip(), node.instantiation):
            said = said or _last(words, requests)
        if said is not None:
            found[node.id] = said
    return found


def applied(wishes: Wishes, edits: Sequence[Edit], *, graph: PreferenceGraph, domain: Domain, turn: int) -> Wishes:
    """The wishes after the edits, one by one. Raises LookupError for a wish or an item that is not there any more."""
    for edit in edits:
        match edit.act:
            case Act.ADD:
                wishes = _added(wishes, edit, domain, turn)
            case Act.FORGET:
                wishes = _forgotten(wishes, edit)
            case Act.DROP:
                wishes = _dropped(wishes, _said(wishes, edit), graph, domain, turn, whole=not edit.node)
            case Act.REWORD:
                wishes = _reworded(wishes, edit, graph, domain)
            case Act.MUST | Act.NICE:
                wishes = _weighed(wishes, edit, graph, domain)
            case Act.WANT | Act.AVOID:
                wishes = _turned(wishes, edit, graph, domain, turn)
    return wishes


def _added(wishes: Wishes, edit: Edit, domain: Domain, turn: int) -> Wishes:
    """A wish in a sentence of its own; edits of one turn share an utterance, a line each."""
    words = cleaned(edit.words)
    said = next((request for request in wishes.requests if request["turn"] == turn), None)
    before = f"{said['text']}\n" if said else ""
    span = (turn, len(before), len(before) + len(words))
    new = StateEdit(
        kind=EditKind.ADD, key=edit.key, text=words, hard=edit.hard, span=span, avoid=bool(DENIED.match(words))
    )
    state = apply_edits(wishes.state, [new], domain)
    if state == wishes.state:
        return wishes
    values = [*(said["values"] if said else ()), (span[1], span[2], Mention.STATED.value)]
    told: KeptUtterance = {"turn": turn, "text": before + words, "values": values, "plain": True}
    others = tuple(request for request in wishes.requests if request is not said)
    return replace(wishes, state=state, requests=(*others, told))


def _forgotten(wishes: Wishes, edit: Edit) -> Wishes:
    """An item leaves one of the lists of items."""
    items = getattr(wishes.state, edit.key)
    kept = tuple(item for item in items if item.id != edit.item)
    if kept == items:
        raise LookupError(edit.item)
    return replace(wishes, state=wishes.state.model_copy(update={edit.key: kept}))


def _dropped(wishes: Wishes, said: Said, graph: PreferenceGraph, domain: Domain, turn: int, *, whole: bool) -> Wishes:
    """Without these words. Of a value that names other nodes too, their words stay, unless it is dropped as a whole;
    what they have denied besides ("gore" of "no violence or gore") is denied in a sentence of its own."""
    holding = _holding(wishes, said)
    for other, new in _denied_by(wishes, [said, *(value[1].span for value in holding)], graph, domain):
        wishes = _dropped(wishes, other, graph, domain, turn, whole=False)
        wishes = _told_apart(wishes, other, new, domain, turn)
    holding = _holding(wishes, said)
    for value in holding:
        others = [] if whole else _others(wishes, value, said)
        wishes = _parted(wishes, value, [(other, value[2]) for other in others], cut=said if others else value[1].span)
    if any(value[1].span[0] == said[0] and inside(said[1:], value[1].span[1:]) for value in holding):
        return wishes
    return replace(wishes, requests=_noted(wishes.requests, said, Mention.INDIFFERENT))


def _reworded(wishes: Wishes, edit: Edit, graph: PreferenceGraph, domain: Domain) -> Wishes:
    """Other words in the place of those that a wish was read from."""
    said, words = _said(wishes, edit), cleaned(edit.words)
    if not _holding(wishes, said):
        wishes = _named(wishes, said, edit, graph, domain)
    turn, start, end = said
    by = len(words) - (end - start)

    def moved(span: tuple[int, int]) -> tuple[int, int] | None:
        if inside((start, end), span):
            return span[0], span[1] + by
        if overlaps(span, (start, end)):
            return None
        return span if span[1] <= start else (span[0] + by, span[1] + by)

    requests, text = list(wishes.requests), ""
    for place, request in enumerate(requests):
        if request["turn"] == turn:
            text = request["text"][:start] + words + request["text"][end:]
            values = [(*new, mention) for first, last, mention in request["values"] if (new := moved((first, last)))]
            requests[place] = {**request, "text": text, "values": values}
    rows: dict[bool, dict[str, tuple[ConstraintValue, ...]]] = {True: {}, False: {}}
    for key, value, hard in values_of(wishes.state):
        if value.span[0] == turn:
            new = moved(value.span[1:])
            if new is None:
                continue
            own = overlaps(value.span[1:], (start, end))
            value = value.model_copy(update={"text": text[slice(*new)] if own else value.text, "span": (turn, *new)})
        rows[hard][key] = (*rows[hard].get(key, ()), value)
    places = {node: (at[0], *new) for node, at in wishes.located.items() if at[0] == turn and (new := moved(at[1:]))}
    elsewhere = {node: at for node, at in wishes.located.items() if at[0] != turn}
    state = wishes.state.model_copy(update={"hard_constraints": rows[True], "soft_constraints": rows[False]})
    return Wishes(state=state, requests=tuple(requests), located={**elsewhere, **places})


def _weighed(wishes: Wishes, edit: Edit, graph: PreferenceGraph, domain: Domain) -> Wishes:
    """A must, or no must; what else a value names stays as it is."""
    said, must = _said(wishes, edit), edit.act is Act.MUST
    holding = _holding(wishes, said)
    if not holding:
        wishes = _named(wishes, said, edit, graph, domain)
        holding = _holding(wishes, said)
    for value in holding:
        others = _others(wishes, value, said) if edit.node else []
        parts = [(said, must), *((other, value[2]) for other in others)] if others else [(value[1].span, must)]
        wishes = _parted(wishes, value, parts, cut=None)
    return wishes


def _turned(wishes: Wishes, edit: Edit, graph: PreferenceGraph, domain: Domain, turn: int) -> Wishes:
    """Wanted instead of to be avoided, or the other way round: a sentence of its own says so."""
    said, node = _said(wishes, edit), graph.node_by_id[edit.node]
    holding = _holding(wishes, said)
    key, hard = (holding[0][0], holding[0][2]) if holding else (domain.key_of(node.perspective), node.hard)
    words = node.instantiation
    while match := DENIED.match(words):
        words = words[match.end() :].lstrip()
    words = words or node.instantiation
    if edit.act is Act.AVOID:
        words = refused(words)
    wishes = _dropped(wishes, said, graph, domain, turn, whole=False)
    return _added(wishes, Edit(act=Act.ADD, key=key, words=words, hard=hard), domain, turn)


def _said(wishes: Wishes, edit: Edit) -> Said:
    """Where the words of what is edited stand. Raises LookupError."""
    if edit.node:
        return wishes.located[edit.node]
    for key, value, _ in values_of(wishes.state):
        if (key, normalised(value.text)) == (edit.key, normalised(edit.text)):
            return value.span
    raise LookupError(edit.text)


def _holding(wishes: Wishes, said: Said) -> list[Standing]:
    """The values that share these words, or are the same ones said elsewhere."""
    request = next((request for request in wishes.requests if request["turn"] == said[0]), None)
    words = normalised(request["text"][said[1] : said[2]]) if request else None

    def shares(value: ConstraintValue) -> bool:
        there = value.span[0] == said[0] and overlaps(value.span[1:], said[1:])
        return there or normalised(value.text) == words

    return [standing for standing in values_of(wishes.state) if shares(standing[1])]


def _others(wishes: Wishes, value: Standing, said: Said) -> list[Said]:
    """The words of the other nodes that a value names."""
    turn, start, end = value[1].span
    others = (at for at in wishes.located.values() if at[0] == turn and inside(at[1:], (start, end)))
    return list(dict.fromkeys(at for at in others if not overlaps(at[1:], said[1:])))


def _denied_by(wishes: Wishes, gone: Sequence[Said], graph: PreferenceGraph, domain: Domain) -> list[tuple[Said, Edit]]:
    """The unwanted things that words have denied beside their own, each with the wish that it is to be from then on."""
    turn = gone[0][0]
    text = next((request["text"] for request in wishes.requests if request["turn"] == turn), "")
    unwanted = {
        at: graph.node_by_id[node]
        for node, at in wishes.located.items()
        if at[0] == turn and graph.node_by_id[node].polarity is Polarity.AVOID
    }
    spans = [at[1:] for at in unwanted if not any(overlaps(at[1:], said[1:]) for said in gone)]
    lost = dict.fromkeys(span for said in gone for span in bereft(text, said[1:], spans))
    found = []
    for span in lost:
        said, node = (turn, *span), unwanted[turn, *span]
        value = next(iter(_holding(wishes, said)), None)
        key, hard = (value[0], value[2]) if value else (domain.key_of(node.perspective), node.hard)
        found.append((said, Edit(act=Act.ADD, key=key, words=refused(node.instantiation), hard=hard)))
    return found


def _told_apart(wishes: Wishes, said: Said, new: Edit, domain: Domain, turn: int) -> Wishes:
    """A wish in a sentence of its own; the nodes of the words that it stood in before are found there."""
    nodes = [node for node, at in wishes.located.items() if at == said]
    wishes = _added(wishes, new, domain, turn)
    text, words = next(each["text"] for each in wishes.requests if each["turn"] == turn), cleaned(new.words)
    start = text.rfind(words)
    there = (turn, start, start + len(words))
    return replace(wishes, located={**wishes.located, **dict.fromkeys(nodes, there)}) if start >= 0 else wishes


def _parted(wishes: Wishes, value: Standing, parts: Sequence[tuple[Said, bool]], *, cut: Said | None) -> Wishes:
    """A value replaced by parts of its words, each a must or not; `cut` are words of it that go:
    they are told no more, even where a later wish has the same words."""
    key, whole, _ = value
    turn, start, end = whole.span
    request = next((request for request in wishes.requests if request["turn"] == turn), None)
    rows = {True: dict(wishes.state.hard_constraints), False: dict(wishes.state.soft_constraints)}
    for row in rows.values():
        kept = tuple(other for other in row.get(key, ()) if other != whole)
        row.pop(key, None)
        row |= {key: kept} if kept else {}
    for said, hard in parts:
        text = whole.text if said == whole.span or request is None else request["text"][said[1] : said[2]]
        rows[hard][key] = (*rows[hard].get(key, ()), ConstraintValue(text=text, span=said, avoid=whole.avoid))
    state = wishes.state.model_copy(update={"hard_constraints": rows[True], "soft_constraints": rows[False]})
    if request is None or (parts and parts[0][0] == whole.span):
        return replace(wishes, state=state)
    mention = next((v[2] for v in request["values"] if tuple(v[:2]) == (start, end)), Mention.STATED.value)
    values = [v for v in request["values"] if tuple(v[:2]) != (start, end)]
    values += [(said[1], said[2], mention) for said, _ in parts]
    values += [(cut[1], cut[2], Mention.INDIFFERENT.value)] if cut else []
    told: KeptUtterance = {**request, "values": values}
    requests = tuple(told if other is request else other for other in wishes.requests)
    return replace(wishes, state=state, requests=requests)


def _named(wishes: Wishes, said: Said, edit: Edit, graph: PreferenceGraph, domain: Domain) -> Wishes:
    """The words of a node that no value of the state names become one."""
    node = graph.node_by_id[edit.node]
    request = next(request for request in wishes.requests if request["turn"] == said[0])
    words, key = request["text"][said[1] : said[2]], domain.row(domain.key_of(node.perspective)).key
    new = ConstraintValue(text=words, span=said)
    name = "hard_constraints" if node.hard else "soft_constraints"
    rows = getattr(wishes.state, name)
    state = wishes.state.model_copy(update={name: {**rows, key: (*rows.get(key, ()), new)}})
    return replace(wishes, state=state, requests=_noted(wishes.requests, said, Mention.STATED))


def _noted(requests: Sequence[KeptUtterance], said: Said, mention: Mention) -> tuple[KeptUtterance, ...]:
    """The utterances with these words as those of a wish, or as words that are told no more."""
    turn, start, end = said
    new = (start, end, mention.value)
    return tuple(
        {**request, "values": [*request["values"], new]} if request["turn"] == turn else request for request in requests
    )


def _last(words: str, requests: Sequence[KeptUtterance]) -> Said | None:
    for request in reversed(requests):
        start = request["text"].casefold().rfind(words.casefold()) if words else -1
        if start >= 0:
            return request["turn"], start, start + len(words)
    return None
