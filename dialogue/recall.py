"""What the state holds, told in plain words to whoever asks for it ("what did I turn down?"). Pure."""

from collections.abc import Sequence

from dialogue import wording
from dialogue.domain import Domain
from dialogue.models import DialogueState, ItemRef, StatePart
from dialogue.record import unwanted, values_of
from dialogue.wish_words import bare
from pdgf.conditionals import conditionals

ORDER = (StatePart.WISHES, StatePart.RECOMMENDED, StatePart.SEEN, StatePart.REJECTED)


def told(
    parts: Sequence[StatePart], state: DialogueState, seen: Sequence[ItemRef], domain: Domain
) -> tuple[str, tuple[ItemRef, ...]]:
    """The answer, and the items of which it speaks."""
    everything = StatePart.EVERYTHING in parts
    held: dict[StatePart, Sequence[ItemRef]] = {
        StatePart.RECOMMENDED: state.recommended_items,
        StatePart.SEEN: seen,
        StatePart.REJECTED: state.rejected_items,
    }
    lines = [
        _wishes(state) if part is StatePart.WISHES else _items(part.value, held[part], domain)
        for part in (ORDER if everything else parts)
        if not (everything and part is not StatePart.WISHES and not held[part])  # of all, only what there is
    ]
    if everything and state.accepted_items:
        lines.append(wording.say("accept.so_far", titles=wording.titles([item.title for item in state.accepted_items])))
    items = [] if everything else [item for part in parts for item in held.get(part, ())]
    return wording.told(lines), tuple(dict.fromkeys(items))


def _wishes(state: DialogueState) -> str:
    values = [  # what depends on something being there says itself that it is not asked for
        (value.text, hard, unwanted(value) and not conditionals(value.text)) for _, value, hard in values_of(state)
    ]
    rows = {
        "recall.must": [text for text, hard, avoid in values if hard and not avoid],
        "recall.would_like": [text for text, hard, avoid in values if not hard and not avoid],
        "recall.must_not": [bare(text) for text, hard, avoid in values if hard and avoid],
        "recall.rather_not": [bare(text) for text, hard, avoid in values if not hard and avoid],
    }
    lines = [wording.say(key, wishes=wording.wishes(texts)) for key, texts in rows.items() if texts]
    return wording.told(lines) or wording.say("recall.no_wishes")


def _items(part: str, items: Sequence[ItemRef], domain: Domain) -> str:
    if not items:
        return wording.say(f"recall.none_{part}", items=domain.items_word)
    return wording.say(f"recall.{part}", titles=wording.titles([named(item) for item in items]))


def named(item: ItemRef) -> str:
    """A title with its year, where it has one."""
    return f"{item.title} ({item.year})" if item.year is not None else item.title
