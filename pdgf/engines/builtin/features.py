"""The built-in engine's wording of f_v, of queries, and how it reads an f_v back (METHOD 4.6, 5.1, 12).

A relation judge sees f_v without the narrative, so f_v itself names polarity, strength, scope and alternatives:

    [must have] [no | less | not too | not mostly ...] z [at all] [(perspective)] [, as in “base cue z”]
    [, in the context of z_u; ...].

An f_v of another wording (an LLM's) is read as a focus without scope.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pdgf.constraints.amounts import amounts
from pdgf.models import Node, Polarity, QualificationEdge
from pdgf.ports import RefinementRequest, RewriteRequest

MAX_WORDS = 40  # METHOD 4.6
_NAMED_PERSPECTIVES = frozenset(
    {
        "genre",
        "pace",
        "tone",
        "setting",
        "cuisine",
        "dish",
        "location",
        "language",
        "country",
        "creator",
        "price",
        "length",
        "audience",
        "noise",
        "diet",
        "format",
        "era",
        "parking",
        "prominence",
        "atmosphere",
        "wait",
        "meal",
        *("ingredient", "course", "taste", "texture", "temperature", "preparation", "effort", "cost", "amount"),
        *("style", "occasion", "season", "colour", "detail"),
    }
)
_TOLERANT = re.compile(r"\b(?:too|mostly|overly|mainly|primarily|so|very|just about)\b")
# "less scary", and "more funny than scary": some of it is as wished
_LESS = re.compile(r"\b(?:less|fewer|little|few)\b|(?<!rather )(?<!other )\bthan\b")
_AS_LESS = {"than": "less", "little": "less", "few": "fewer"}  # how f_v says it
# Not even a little of it
_UTTERLY = re.compile(
    r"\b(?:at all|whatsoever|of any kind|without any|absolutely no|zero|nobody|no[- ]one|anyone|anybody"
    r"|a single|not one)\b"
)
_FEATURE = re.compile(
    r"^(?:(?P<must>must have) )?(?:(?P<avoid>no|(?:less|fewer)(?! than\b)|not(?: (?:too|mostly|overly|mainly"
    r"|primarily|very|so|just about))?) )?"
    r"(?P<focus>.+?)(?P<utterly> at all)?(?: \((?P<perspective>[a-z ]+)\))?(?:, as in “(?P<gloss>[^”]+)”)?"
    r"(?:, in the context of (?P<context>.+?))?\.?$",
    re.DOTALL | re.IGNORECASE,
)
# "Never gives up", "do not end up together": a clause that is wished for as what does not happen
_DENIED = re.compile(
    r"^(?:(?:do|does|did|is|are|was|were|will|would|can|could|has|have|had)(?:n['’]?t| not)|never|cannot|can['’]t"
    r"|won['’]t)\s+(?!only\b|just\b|merely\b)(?=\w)",
    re.IGNORECASE,
)
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"\s*(?:,|\bor\b)\s*(?:else\s+)?(?:an?\s+|some\s+)?", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class FeatureReading:
    """What a judge needs of f_v. `alternatives` hold separately; `tolerant` means only too much of it is unwanted,
    `utterly` that not even a little is wanted, `as_a_whole` that only a text that has all of its words speaks of it."""

    focus: str
    alternatives: tuple[str, ...]
    avoid: bool
    tolerant: bool
    perspective: str
    gloss: str
    contexts: tuple[str, ...]
    utterly: bool = False
    as_a_whole: bool = False


def feature_of(request: RefinementRequest) -> str:
    """f_v of a node from its own words, its strength and its ancestors, nearest scope last."""
    node = request.node
    parts = ["must have "] if node.hard and node.polarity is Polarity.WANT else []
    if node.polarity is Polarity.AVOID:
        tolerant = _TOLERANT.search(node.strength)
        less = _LESS.search(node.strength)
        parts.append(f"{_AS_LESS.get(less[0], less[0])} " if less else f"not {tolerant[0]} " if tolerant else "no ")
    either = _OR.search(node.instantiation) and not node.instantiation.lower().startswith("either ")
    parts.append(f"either {node.instantiation}" if either and node.polarity is Polarity.WANT else node.instantiation)
    if node.polarity is Polarity.AVOID and _UTTERLY.search(node.strength) and not _TOLERANT.search(node.strength):
        parts.append(" at all")
    if node.perspective in _NAMED_PERSPECTIVES:
        parts.append(f" ({node.perspective})")
    gloss = _gloss(node, request.ancestors, request.edges)
    if gloss:
        parts.append(f", as in “{gloss}”")
    contexts = [u.instantiation for u in request.ancestors]
    if contexts:
        parts.append(f", in the context of {'; '.join(contexts)}")
    return _at_most("".join(parts)) + "."


def _gloss(node: Node, ancestors: Sequence[Node], edges: Sequence[QualificationEdge]) -> str:
    """The wish in the user's own words: "relationship shown through conversation"."""
    by_id = {u.id: u for u in ancestors}
    for edge in edges:
        if edge.qualifier == node.id and edge.base in by_id:
            base = by_id[edge.base].instantiation
            return f"{base} {edge.span} {node.instantiation}" if edge.span else f"{node.instantiation} {base}"
    return ""


def _at_most(text: str) -> str:
    words = text.split(" ")
    return text if len(words) <= MAX_WORDS else " ".join(words[:MAX_WORDS]).rstrip(",;“ ")


@lru_cache(maxsize=4_096)
def read_feature(feature: str) -> FeatureReading:
    """Read an f_v back; total, because any text is a focus."""
    match = _FEATURE.match(feature.strip())
    if match is None:
        return FeatureReading(
            focus=feature, alternatives=(feature,), avoid=False, tolerant=False, perspective="", gloss="", contexts=()
        )
    focus = match["focus"].strip()
    avoid = (match["avoid"] or "").lower()
    denied = None if avoid or amounts(focus) else _DENIED.match(focus)
    if denied is not None:
        focus, avoid = focus[denied.end() :], "no"
    found = [part for part in _ALTERNATIVES.split(re.sub(r"^either\s+", "", focus, flags=re.IGNORECASE)) if part]
    return FeatureReading(
        focus=focus,
        alternatives=tuple(found) if " or " in f" {focus.lower()} " and found else (focus,),
        avoid=bool(avoid),
        tolerant=bool(_TOLERANT.search(avoid) or _LESS.search(avoid)),
        perspective=match["perspective"] or "",
        utterly=bool(avoid and match["utterly"]),
        as_a_whole=denied is not None,
        gloss=match["gloss"] or "",
        contexts=tuple(part.strip() for part in (match["context"] or "").split(";") if part.strip()),
    )


def web_query(request: RewriteRequest, item_word: str) -> str:
    """r_uv in web-search syntax: the words of c_u^0 and c_v^0, the item word, and the kind of page wanted."""
    terms = [request.base, request.node] if request.base is not None else [request.node]
    wanted = " ".join(f'"{_bare(node.instantiation)}"' for node in terms if node.polarity is Polarity.WANT)
    unwanted = " ".join(f'-"{_bare(node.instantiation)}"' for node in terms if node.polarity is Polarity.AVOID)
    return " ".join(part for part in (wanted, item_word, "list OR recommendations", unwanted) if part)


def _bare(text: str) -> str:
    return text.replace('"', "").strip()
