"""How well the intents of messages are read: preference, inquire, accept, reject, several at once (METHOD 9.2).

A row says which labels its source annotates (`labelled`), and only those count. `prev` is what the system said before:
the items that it names with a year are what was shown; without one an unnamed item was; where nothing was said before,
nothing was shown. A source that does not tell `prev` leaves open what was shown: an unnamed item is taken for it.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal

from dialogue.evaluation.turns import UNNAMED, context_of, items_named, understood
from dialogue.models import DialogueState, Intent, ItemRef
from dialogue.ports import DomainPorts
from pdgf.evaluation.classification import Counts, macro_f1
from pdgf.evaluation.rows import FileRow
from pdgf.usage import Budget

LabelName = Literal["preference", "inquire", "accept", "reject"]
LABELS: dict[LabelName, Intent] = {
    "preference": Intent.PROVIDE_PREFERENCE,
    "inquire": Intent.INQUIRE,
    "accept": Intent.ACCEPT,
    "reject": Intent.REJECT,
}
DOMAIN_OF_SOURCE = {"iard": "movies"}  # public dialogues about films; all others are about places to eat
OTHERWISE = "restaurants"

Ports = Callable[[str], Awaitable[DomainPorts]]
Say = Callable[[str], None]


class IntentRow(FileRow):
    """A message with its labels."""

    text: str
    labels: tuple[LabelName, ...]
    labelled: tuple[LabelName, ...] = tuple(LABELS)
    prev: str | None = None
    source: str = ""


async def judge_intents(
    rows: Sequence[IntentRow], *, ports: Ports, new_budget: Callable[[], Budget], say: Say
) -> dict[str, Any]:
    """Macro F1 over the labels, accuracy (all annotated labels of a row right), and each label and source. Raises
    ServiceFailed and BudgetSpent as the agent does."""
    counts = {name: Counts() for name in LABELS}
    by_source: dict[str, dict[str, Counts]] = defaultdict(lambda: {name: Counts() for name in LABELS})
    right = 0
    for number, row in enumerate(rows, start=1):
        given = await _given(row, ports, new_budget())
        right += all((name in given) == (name in row.labels) for name in row.labelled)
        for name in row.labelled:
            for count in (counts[name], by_source[row.source][name]):
                count.add(given=name in given, true=name in row.labels)
        say(f"{number} of {len(rows)} messages")
    annotated = {name for row in rows for name in row.labelled}
    return {
        "accuracy": right / len(rows),
        "macro_f1": macro_f1([count for name, count in counts.items() if name in annotated]),
        "rows": len(rows),
        "classes": {name: count.printed() for name, count in counts.items()},
        "sources": {
            source: {name: count.printed() for name, count in found.items()}
            for source, found in sorted(by_source.items())
        },
        "how": {"accuracy": "all annotated labels of a message are right"},
    }


def shown_before(row: IntentRow) -> tuple[ItemRef, ...]:
    """What the user has before them."""
    if row.prev is None:
        return (UNNAMED,)
    return items_named(row.prev) or ((UNNAMED,) if row.prev.strip() else ())


async def _given(row: IntentRow, ports: Ports, budget: Budget) -> set[str]:
    context = context_of(await ports(DOMAIN_OF_SOURCE.get(row.source, OTHERWISE)), budget)
    reading, _ = await understood(row.text, before=DialogueState(), shown=shown_before(row), context=context)
    return {name for name, intent in LABELS.items() if intent in reading.intents}
