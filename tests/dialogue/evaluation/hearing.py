"""The ports of the town with an agent that hears what it is told."""

from dialogue.models import Understanding
from dialogue.ports import DomainPorts
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import ScriptedDialogueAgent, Shelf, VocabularyAgent

__all__ = ("always", "hearing")


def hearing(*readings: Understanding) -> DomainPorts:
    """Each turn takes the next reading."""
    return town_ports(VocabularyAgent(WORDS), Shelf(PLACES), ScriptedDialogueAgent(readings))
