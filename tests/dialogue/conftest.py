"""What the tests of the dialogue share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.dialogue.town import Town, open_town


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    """A fresh conversation in the town, over a real store."""
    async with open_town(tmp_path / "data") as town:
        yield town
