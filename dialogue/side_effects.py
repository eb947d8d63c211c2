"""What an edit made by hand has brought along: how the other wishes stand after it, told in words. Pure.

Words that were said together share their sense: one half of "a slow romance" that becomes a must makes the other one,
and what narrowed a wish that is gone narrows another or nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from dialogue import wording
from dialogue.edits import Act, Edit
from pdgf.models import Node, Polarity, PreferenceGraph, normalised

TOLD = 6  # changes that are told; of more, how many
_MAKES: Final = {
    Act.WANT: ("polarity", Polarity.WANT),
    Act.AVOID: ("polarity", Polarity.AVOID),
    Act.MUST: ("hard", True),
    Act.NICE: ("hard", False),
}
_KEEPS_WORDS = frozenset({Act.DROP, Act.MUST, Act.NICE})


def brought_along(before: PreferenceGraph, after: PreferenceGraph, edits: Sequence[Edit]) -> list[str]:
    """How the wishes that were not edited stand otherwise than before, a clause each."""
    edited = {each.node for each in edits} | _named(before, edits)
    old = {node.id: node for node in before.nodes if node.id not in edited}
    stands = _matched(old, after)
    turned = {normalised(node.instantiation) for node in before.nodes if node.id in edited}
    fresh = [node for node in after.nodes if node.id not in {*stands.values(), *edited}]
    clauses = [wording.say("edit.gone_too", wish=node.instantiation) for node in old.values() if node.id not in stands]
    for node, now in stands.items():
        clauses += _weighed(old[node], after.node_by_id[now])
    if all(each.act in _KEEPS_WORDS for each in edits):
        clauses += [
            wording.say("edit.new_too", wish=node.instantiation)
            for node in fresh
            if normalised(node.instantiation) not in turned
        ]
    return [*clauses, *_linked(before, after, stands)]


def stands(before: PreferenceGraph, after: PreferenceGraph, edit: Edit) -> bool:
    """Whether a wish that was to be wanted, avoided, a must or none is read so after the edit. Who something is for
    cannot be turned round, for one."""
    node = before.node_by_id.get(edit.node)
    if node is None or edit.act not in _MAKES:
        return True
    words, (name, value) = normalised(node.instantiation), _MAKES[edit.act]
    same = [n for n in after.nodes if normalised(n.instantiation) in words or words in normalised(n.instantiation)]
    return any(getattr(each, name) == value for each in same)


def told(key: str, clauses: Sequence[str], **fields: str) -> str:
    """The sentence of a key over some clauses; empty without one."""
    if not clauses:
        return ""
    shown = list(clauses[:TOLD])
    if more := len(clauses) - len(shown):
        shown.append(wording.say("edit.more_along", count=more))
    return wording.say(key, what=wording.listed(shown), **fields)


def _named(graph: PreferenceGraph, edits: Sequence[Edit]) -> set[str]:
    """The nodes of the values that were edited in the state: those whose words are theirs or stand in theirs."""
    values = [normalised(each.text) for each in edits if not each.node and each.text]
    return {
        node.id
        for node in graph.nodes
        if any(normalised(node.instantiation) in value or value in normalised(node.instantiation) for value in values)
    }


def _matched(old: Mapping[str, Node], after: PreferenceGraph) -> dict[str, str]:
    """Which node each wish is afterwards: the same one, or another in the same words."""
    found = {node: node for node in old if node in after.node_by_id}
    free = {normalised(node.instantiation): node.id for node in after.nodes if node.id not in found}
    for node in old.values():
        if node.id not in found and (other := free.pop(normalised(node.instantiation), None)):
            found[node.id] = other
    return {node: found[node] for node in old if node in found}


def _weighed(was: Node, now: Node) -> list[str]:
    acts = []
    if was.polarity is not now.polarity:
        acts.append(Act.AVOID if now.polarity is Polarity.AVOID else Act.WANT)
    if was.hard is not now.hard:
        acts.append(Act.MUST if now.hard else Act.NICE)
    return [wording.say(f"edit.{act.value}", wish=now.instantiation, words="") for act in acts]


def _linked(before: PreferenceGraph, after: PreferenceGraph, stands: Mapping[str, str]) -> list[str]:
    """Which wishes narrow another one than before, or none any more."""
    words = {now: after.node_by_id[now].instantiation for now in stands.values()}
    newly: dict[str, list[str]] = {}
    free: list[str] = []
    for node, now in stands.items():
        was = {stands.get(edge.base) for edge in before.edges if edge.qualifier == node}
        bases = [edge.base for edge in after.edges if edge.qualifier == now]
        for base in bases:
            if base in words and base not in was:
                newly.setdefault(base, []).append(words[now])
        if was and not bases:
            free.append(now)
    narrowed = [
        wording.say("edit.narrowed", wish=words[base], others=_together(others)) for base, others in newly.items()
    ]
    alone = [words[now] for now in free if now not in newly]
    return [*narrowed, *([wording.say("edit.alone", wishes=_together(alone, last="or"))] if alone else [])]


def _together(words: Sequence[str], last: str = "and") -> str:
    return wording.listed([wording.say("edit.wish", wish=each) for each in words], last)
