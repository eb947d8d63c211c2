"""Words that point at an item which is not there, where the last list is empty."""

from types import SimpleNamespace
from typing import cast

import pytest

from dialogue import wording
from dialogue.domain import bundled_domain
from dialogue.models import DialogueState, ItemRef, TurnRecord, Understanding
from dialogue.ports import TurnContext
from dialogue.recommendation import unresolved_reply

FILMS = tuple(ItemRef(id=name, title=name) for name in ("Alien", "Babe", "Her", "Dune"))


@pytest.mark.parametrize(("recommended", "denies"), [((), True), (FILMS, False)])
def test_after_an_empty_list_nobody_is_told_that_nothing_was_recommended_when_something_was(
    recommended: tuple[ItemRef, ...], denies: bool
) -> None:
    state = DialogueState(recommended_items=recommended)
    reading = Understanding(unresolved=("第九部",), questions=("第九部多长？",))
    turn: TurnRecord = {
        "dialogue": state.model_dump(mode="json"),
        "understanding": reading.model_dump(mode="json"),
        "shown": [],
    }
    context = cast(TurnContext, SimpleNamespace(domain=bundled_domain("movies")))
    with wording.speaking("zh", context.domain):
        said = unresolved_reply(turn, context)
    assert ("还没有推荐过" in said) is denies
    assert ("《Dune》" in said) is not denies
