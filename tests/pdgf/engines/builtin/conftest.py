"""One parser and one reading function for the tests of the built-in engine."""

from collections.abc import Callable

import pytest

from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.reading import Analysis, analyse
from pdgf.engines.builtin.vocabulary import Vocabulary, vocabulary_of
from pdgf.models import Candidate
from tests import local_models

ROMANCE_REQUEST = (
    "I’d like fantasy with romance as a subplot, rather than the main attraction. […] I need believable individual "
    "characters and a relationship shown through conversation, humour, and handling disagreements, not mostly sex."
)

KNOWN = (
    Candidate(id="1", title="Paper Lanterns", year=2010, metadata={"genres": ["mystery", "comedy"]}),
    Candidate(id="2", title="Ferry", year=1999, metadata={"genres": ["romance"]}),
    Candidate(
        id="3", title="Da Remo", metadata={"location": "North Quay", "cuisine": ["Italian"], "dishes": ["ravioli"]}
    ),
)


@pytest.fixture(scope="session")
def parser() -> EnglishParser:
    return local_models.parser()


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    return vocabulary_of(KNOWN)


@pytest.fixture(scope="session")
def read(parser: EnglishParser, vocabulary: Vocabulary) -> Callable[[str], Analysis]:
    return lambda text: analyse(parser.parse_now(text), text, vocabulary, None)
