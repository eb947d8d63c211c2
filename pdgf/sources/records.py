"""x_{v,i} from a catalogue: the passages of one item that have to do with one node (METHOD 6)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdgf.constraints import fact_line
from pdgf.models import Node, Passage, Source
from pdgf.settings import MethodConfig
from pdgf.sources.index import CatalogueIndex
from pdgf.texts import cut_at_sentence


@dataclass(frozen=True)
class Sought:
    """One node's view of all passages: similarity to f_v, what has substance for c_v, what x must hold."""

    node: Node
    similarity: NDArray[np.float32]
    substantial: NDArray[np.bool_]
    required: NDArray[np.bool_]
    lexical: NDArray[np.float32]


def record_of(index: CatalogueIndex, sought: Sought, item: int, config: MethodConfig) -> tuple[Passage, ...]:
    """x_{v,i}: facts that the node asks about and the best BM25 hit first, then the passages nearest to f_v.

    They are taken while there is room and given in the order of their source; a fact that has nothing to do with
    the node makes room for a piece of a review. Empty without substance.
    """
    candidate = index.candidates[item]
    if sought.node.perspective == "era" and candidate.year is not None:
        return (_year_line(candidate.id, candidate.year),)
    start, end = int(index.starts[item]), int(index.starts[item + 1])
    if not sought.substantial[start:end].any():
        return ()
    useful = sought.substantial[start:end] | ~index.states_fact[start:end]
    ranked = np.argsort(-sought.similarity[start:end], kind="stable")
    ranked = (ranked[useful[ranked]] + start).tolist()
    required = (np.flatnonzero(sought.required[start:end]) + start).tolist()
    hit = start + int(sought.lexical[start:end].argmax())
    by_words = [hit] if sought.substantial[hit] and sought.lexical[hit] > 0.0 else []
    room = config.max_evidence_chars
    taken: dict[int, Passage] = {}
    seen: set[int] = set()
    for row in (*required, *by_words, *ranked):
        if len(taken) >= max(config.passages_per_record, len(required)):
            break
        same = index.same_text[row]
        if same in seen:
            continue
        seen.add(same)
        passage = index.rows[row].passage
        if room is not None:
            text = _fitting(passage.text, room, alone=not taken)
            if not text:
                continue
            room -= len(text) + 1
            passage = passage if text == passage.text else passage.model_copy(update={"text": text})
        taken[row] = passage
    return tuple(taken[row] for row in sorted(taken))


def _year_line(item: str, year: int) -> Passage:
    """The year of an item as the line of metadata that answers a wish for a period."""
    return Passage(text=fact_line("year", str(year)), source=Source(id=f"{item}#year"))


def _fitting(text: str, room: int, *, alone: bool) -> str:
    """The text as far as it fits, ended at a sentence; a first sentence that is too long is cut hard if it is alone."""
    return cut_at_sentence(text, room) or (text[:room] if alone else "")
