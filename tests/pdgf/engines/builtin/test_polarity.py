"""Negation, its scope, and degree."""

import pytest

from pdgf.engines.builtin.lexicon import concepts
from pdgf.engines.builtin.polarity import Degree, concept_events, level_of, literal_events, stem

NONE, MILD, PLAIN, STRONG = Degree.NONE, Degree.MILD, Degree.PLAIN, Degree.STRONG


@pytest.mark.parametrize(
    ("sentence", "concept", "degree"),
    [
        ("There is gore.", "gore", PLAIN),
        ("There is no gore.", "gore", NONE),
        ("Without a drop of gore.", "gore", NONE),
        ("Hardly any gore is shown.", "gore", NONE),
        ("It is not without gore.", "gore", PLAIN),
        ("It is not only gore.", "gore", PLAIN),
        ("There is no shortage of gore.", "gore", PLAIN),
        ("Gore is absent.", "gore", NONE),
        ("There is some slime, and gore the entire time.", "gore", STRONG),
        ("It is a poor choice for viewers who cannot bear gore.", "gore", PLAIN),
        ("Skip it if you can't stand the sight of gore.", "gore", PLAIN),
        ("It is safe for those who cannot bear gore.", "gore", NONE),
        ("A gore-free evening.", "gore", NONE),
        ("No romance, but plenty of gore.", "gore", STRONG),
        ("No violence, sex or gore.", "gore", NONE),
        ("A little gore in one scene.", "gore", MILD),
        ("Little gore reaches the screen.", "gore", NONE),
        ("Relentless, graphic gore.", "gore", STRONG),
        ("It is deafening at night.", "quiet", NONE),
        ("It is never loud.", "quiet", PLAIN),
        ("Prices are not expensive.", "cheap", PLAIN),
        ("Vows rather than jokes.", "humour", NONE),
        ("Sisterhood replaces romance.", "romance", NONE),
        ("Bickering stands in for romance.", "romance", NONE),
        ("Jealousy is replaced by romance.", "romance", PLAIN),
    ],
)
def test_a_mention_is_asserted_or_denied_by_its_own_clause(sentence: str, concept: str, degree: Degree) -> None:
    assert max(event.degree for event in concept_events(sentence, concept)) is degree


@pytest.mark.parametrize(
    ("sentence", "denied"),
    [
        ("Do not pick it if you want a detective.", True),
        ("Skip this one when you are after a detective.", True),
        ("Leave it on the shelf if you hope for a proper detective.", True),
        ("You should never choose it if you expect a detective.", True),
        ("Do not miss it if you want a detective.", False),
        ("Never skip it if you love a detective.", False),
        ("Pick it if you want a detective.", False),
    ],
)
def test_advice_against_it_for_whoever_wants_a_thing_denies_the_thing(sentence: str, denied: bool) -> None:
    [event] = literal_events(sentence, "detective")
    assert (event.degree is NONE) is denied


def test_silence_is_no_event() -> None:
    assert concept_events("The colours are muted.", "gore") == ()


def test_words_outside_the_lexicon_are_found_inflected() -> None:
    assert stem("reconciliation") == stem("reconcile")[: len(stem("reconciliation"))]
    assert [event.degree for event in literal_events("The lighthouses are lovely.", "lighthouse")] == [PLAIN]
    assert [event.degree for event in literal_events("There are no lighthouses.", "lighthouse")] == [NONE]


@pytest.mark.parametrize(
    ("concept", "value", "degree"),
    [
        ("short_length", "short", STRONG),
        ("short_length", "medium", MILD),
        ("short_length", "long", NONE),
        ("short_length", "very long", NONE),
        ("long_length", "short", NONE),
        ("long_length", "long", STRONG),
        ("long_length", "very long", STRONG),
        ("quiet", "quiet", STRONG),
        ("quiet", "loud", NONE),
        ("cheap", "expensive", NONE),
        ("expensive", "very expensive", STRONG),
    ],
)
def test_a_fact_at_one_end_of_its_scale_denies_the_other_end(concept: str, value: str, degree: Degree) -> None:
    assert level_of(value, concepts()[concept]) is degree


@pytest.mark.parametrize(
    ("sentence", "denied"),
    [
        ("There is no sex and no romantic banter.", True),
        ("Neither romance nor banter.", True),
        ("No gore, no banter.", True),
        ("Without sex and without banter.", True),
        ("Not without banter.", False),
        ("There is no lack of banter.", False),
        ("It is not short, and never without banter.", False),
    ],
)
def test_a_denial_that_goes_on_denies_and_two_within_each_other_assert(sentence: str, denied: bool) -> None:
    assert [event.degree is Degree.NONE for event in literal_events(sentence, "banter")] == [denied]


@pytest.mark.parametrize(
    ("concept", "sentence", "denied"),
    [
        ("romance", "Romance plays almost no part.", True),
        ("romance", "The romance plays hardly any role.", True),
        ("romance", "Romance takes little room.", True),
        ("romance", "The romance plays a large part.", False),
        ("uplifting", "Wrong for anybody who hopes it will feel uplifting.", True),
        ("fantasy", "Not a scary fantasy, but a warm one.", False),  # it is not scary
        ("gore", "Not a gory film.", True),
    ],
)
def test_what_plays_no_part_is_not_there_and_what_is_not_so_is_there(concept: str, sentence: str, denied: bool) -> None:
    assert [event.degree is Degree.NONE for event in concept_events(sentence, concept)] == [denied]
