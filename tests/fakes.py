"""Small real classes that stand in for the ports: they answer from a script and remember what they were asked."""

from collections.abc import Mapping, Sequence

from pdgf.models import Label, RelationLabel
from pdgf.ports import RelationRequest

NOT_ADDRESSED = RelationLabel(label=Label.NOT_ADDRESSED)


class ScriptedAgent:
    """A PreferenceAgent that labels (x, f) from a table; pairs that are not in it are not addressed.

    `label_rounds` holds the requests of each call.
    """

    def __init__(self, *, labels: Mapping[tuple[str, str], RelationLabel] | None = None) -> None:
        self._labels = labels or {}
        self.label_rounds: list[list[RelationRequest]] = []

    async def label_relations(self, requests: Sequence[RelationRequest]) -> list[RelationLabel]:
        self.label_rounds.append(list(requests))
        return [self._labels.get((request.text, request.feature), NOT_ADDRESSED) for request in requests]
