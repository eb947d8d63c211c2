"""What a text says to have been liked by name: each sentence is read by itself, however many there are."""

import pytest

from dialogue.domain import bundled_domain
from dialogue.engines import tastes as module
from dialogue.engines.names import Named, named
from dialogue.engines.references import Shown
from dialogue.engines.tastes import tastes
from dialogue.models import ItemRef

MOON = ItemRef(id="a", title="Copper Moon", year=1999)
SHOWN = Shown(items=[MOON], focus=(), metadata={}, domain=bundled_domain("movies"))


def test_a_title_is_found_in_its_own_sentence_though_an_earlier_one_names_it_too() -> None:
    text = "Copper Moon is rather long. Something like Copper Moon, but with more jokes."
    (taste,) = tastes(text, SHOWN)
    assert (taste.item, taste.liked) == (MOON, True)
    assert text[slice(*taste.span)] == "Copper Moon"
    assert taste.span[0] == text.rindex("Copper Moon")


@pytest.mark.parametrize("sentence", ["A calm film about the sea. ", "I loved the sea. ", "Something like the sea. "])
def test_of_a_long_text_no_name_is_sought_in_more_than_a_few_times_its_length(
    sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sought: list[int] = []

    def counted(text: str, *where: object) -> list[Named]:
        sought.append(len(text))
        return named(text, *where)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "named", counted)
    text = sentence * 60
    tastes(text, SHOWN)
    assert len(text) / 2 < sum(sought) <= 3 * len(text)
