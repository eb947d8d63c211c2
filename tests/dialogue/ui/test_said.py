"""What the buttons of the Chinese page say for their visitor is understood as what they are for."""

import pytest

from dialogue.engines.chinese import parts
from dialogue.engines.cues import Act
from dialogue.ui.texts import page_texts

WORDS = page_texts("zh")["cards"]


@pytest.mark.parametrize(
    ("key", "act"),
    [
        ("say_accept", Act.ACCEPT),
        ("say_reject", Act.REJECT),
        ("say_compare", Act.QUESTION),
        ("say_seen", Act.SEEN),
        ("say_seen_read", Act.SEEN),
        ("say_seen_been", Act.SEEN),
    ],
)
def test_a_button_of_a_pick_does_what_it_says(key: str, act: Act) -> None:
    several = f"寂静灯塔{WORDS['compare_and']}盐与羽"
    said = WORDS[key].format(title="寂静灯塔", titles=several)
    assert act in {act for part in parts.parts_of(said, shown=True, asked=False) for act in part.acts}
