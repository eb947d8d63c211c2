"""Other languages in Latin letters are told from English, whose names and borrowed words they give."""

import pytest

from pdgf.catalogues.bundled import BUNDLED
from pdgf.glossary.tongues import other_tongue
from tests.catalogues import bundled_items


@pytest.mark.parametrize(
    ("text", "tongue"),
    [
        ("Ein ruhiger Film mit Musik, aber ohne Krieg", "de"),
        ("Je cherche un roman sans violence", "fr"),
        ("Quiero una comedia", "es"),
        ("Vorrei un film divertente senza violenza", "it"),
        ("Quero um filme sem violência", "pt"),
        ("Ik zoek een grappige film zonder geweld", "nl"),
        ("Jag vill se en rolig film", "sv"),
        ("Szukam komedii bez przemocy", "pl"),
    ],
)
def test_a_sentence_is_told_by_its_small_words(text: str, tongue: str) -> None:
    assert other_tongue(text) == tongue


@pytest.mark.parametrize(
    "text",
    [
        "",
        "more",
        "no gore, no sex",
        "Something like La vie en rose",
        "chili con carne with rice and beans",
        "Das Leben der Anderen",
        "Amelie, Delicatessen, La Haine",
        "a film en route to die for",
        "me and my man in a van, on a bus",
    ],
)
def test_english_names_and_borrowed_words_are_none(text: str) -> None:
    assert other_tongue(text) is None


@pytest.mark.parametrize("domain", sorted(BUNDLED))
def test_no_text_of_a_bundled_catalogue_is_taken_for_another_language(domain: str) -> None:
    texts = [review.text for item in bundled_items(domain) for review in item.reviews]
    assert len(texts) > 100
    assert [text for text in texts if other_tongue(text)] == []
