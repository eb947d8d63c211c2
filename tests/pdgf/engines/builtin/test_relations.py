"""Relation labels of the built-in engine: polarity, scope, metadata lines, mixed evidence, quotes."""

import pytest

from pdgf.engines.builtin.agent import BuiltinAgent
from pdgf.engines.builtin.features import read_feature
from pdgf.engines.builtin.findings import Finding
from pdgf.engines.builtin.metadata_lines import fact_finding
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Label, RelationLabel
from pdgf.ports import RelationRequest
from pdgf.usage import Budget
from tests.local_models import minilm, parser

S, P, N, X = Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS


@pytest.fixture(scope="module")
def agent() -> BuiltinAgent:
    return BuiltinAgent(parser=parser(), embedder=minilm(), vocabulary=Vocabulary())


async def label(agent: BuiltinAgent, text: str, feature: str) -> RelationLabel:
    return (await agent.label_relations([RelationRequest(text=text, feature=feature)], Budget()))[0]


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("It is gory throughout, with severed limbs in every scene.", "no violent.", X),
        ("It is gory throughout, with severed limbs in every scene.", "no gore.", X),
        ("There is no violence at all.", "no violence.", S),
        ("The film is almost without dialogue.", "minimal dialogue.", S),
        ("Almost no dialogue for the first half hour.", "minimal dialogue.", S),
        ("The place is loud, and you have to shout.", "quiet (noise).", X),
        ("A hushed room where conversation is easy.", "quiet (noise).", S),
        ("It is not exactly cheap.", "cheap (price).", X),
        ("There is no parking nearby.", "parking (parking).", X),
        ("There is a car park behind the kitchen.", "parking (parking).", S),
        ("Year: 1955", "the 1950s (era).", S),
        ("Nothing here is guaranteed to be free of gluten.", "no gluten (diet).", X),
        ("The kitchen can't promise anything free of nuts.", "no nuts (diet).", X),
        ("Everything is free of nuts.", "no nuts (diet).", S),
        ("Diets: vegetarian, dairy-free", "no lactose (diet).", S),
        ("Diets: vegetarian", "no lactose (diet).", N),
        ("Year: 1973", "the 1950s (era).", X),
        ("Year: 1973", "recent (era).", S),  # what is recent is for the year rule, which knows what year it is
        ("Year: 1955", "slow (pace).", N),
        ("Not without humour, it keeps winking at the viewer.", "humour (tone).", S),
        ("A humourless slog.", "humour (tone).", X),
        ("The camera work is steady and the colours are muted.", "parking (parking).", N),
        ("A single brief fight is over in seconds.", "not too violent.", S),
        ("Frequent, graphic violence fills the second half.", "not too violent.", X),
        ("It has no shortage of jokes.", "humour (tone).", S),
        ("It is hopeless for a quiet conversation.", "quiet (noise).", X),
    ],
)
async def test_polarity_decides_between_support_and_contradiction(
    agent: BuiltinAgent, text: str, feature: str, expected: Label
) -> None:
    assert (await label(agent, text, feature)).label is expected


@pytest.mark.parametrize(
    ("line", "feature", "expected"),
    [
        ("Parking: own free car park", "parking (parking).", S),
        ("Parking: no parking nearby", "parking (parking).", X),
        ("Wifi: yes", "wifi.", S),
        ("Wifi: no", "wifi.", X),
        ("Violence: strong", "not too violent.", X),
        ("Violence: mild", "not too violent.", S),
        ("Violence: none", "no violence.", S),
        ("Noise level: quiet", "must have quiet (noise).", S),
        ("Noise level: loud", "must have quiet (noise).", X),
        ("Noise level: moderate", "must have quiet (noise).", P),
        ("Length: 119 minutes", "must have under two hours (length).", S),
        ("Length: 130 minutes", "must have under two hours (length).", X),
        ("Average spend: 26 dollars a person", "less than $20 (price).", X),
        ("Suitable from age: 12", "six-year-old (audience).", X),
        ("Suitable from age: 0", "six-year-old (audience).", S),
        ("Location: Old Harbour", "must have Old Harbour (location).", S),
        ("Location: Riverside", "must have Old Harbour (location).", X),
        ("Cuisine: Japanese, ramen", "pizza or ramen (cuisine).", S),
        ("Diets: vegan, gluten-free", "vegan (diet).", S),
        ("Genres: fantasy, romance", "romance (genre).", S),
        ("Country: France", "parking (parking).", N),
    ],
)
async def test_a_metadata_line_is_evidence_too(agent: BuiltinAgent, line: str, feature: str, expected: Label) -> None:
    assert (await label(agent, line, feature)).label is expected


async def test_humour_among_friends_is_not_humour_in_the_romance(agent: BuiltinAgent) -> None:
    feature = "humour (tone), as in “relationship shown through humour”, in the context of romance; relationship."
    friends = await label(agent, "The jokes belong to the soldiers and their mules.", feature)
    lovers = await label(agent, "The two fall in love through jokes and banter.", feature)
    assert lovers.label is S
    assert friends.label in (P, N)


async def test_support_and_contradiction_on_one_point_are_partial_with_both_quotes(agent: BuiltinAgent) -> None:
    found = await label(agent, "At lunch it is a quiet room.\nAt night it is deafening and loud.", "quiet (noise).")
    assert found.label is P
    assert found.quotes == ("At lunch it is a quiet room.", "At night it is deafening and loud.")


async def test_one_permitted_alternative_is_enough(agent: BuiltinAgent) -> None:
    found = await label(agent, "A haunted-house horror of the old school.", "science fiction or horror (genre).")
    assert found.label is S


async def test_every_label_but_not_addressed_quotes_the_text(agent: BuiltinAgent) -> None:
    text = "A loud room with great noodles. Staff are friendly.\nParking: own free car park"
    for feature in ("quiet (noise).", "parking (parking).", "friendly service (service).", "a mountain view."):
        found = await label(agent, text, feature)
        assert all(quote in text for quote in found.quotes)
        assert bool(found.quotes) == (found.label is not N)


async def test_a_label_depends_on_its_own_pair_only(agent: BuiltinAgent) -> None:
    pairs = [
        RelationRequest(text="The place is loud.", feature="quiet (noise)."),
        RelationRequest(text="A gentle, funny story.", feature="humour (tone)."),
        RelationRequest(text="Nothing of the kind.", feature="no gore."),
    ]
    together = await agent.label_relations(pairs, Budget())
    alone = [(await agent.label_relations([pair], Budget()))[0] for pair in pairs]
    assert together == alone


async def test_no_pairs_give_no_labels(agent: BuiltinAgent) -> None:
    assert await agent.label_relations([], Budget()) == []


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("A few scenes take place in a sex shop, so keep it from children.", "kids (audience).", X),
        ("Several suicides are shown, which makes it wrong for young children.", "kids (audience).", X),
        ("Suitable from age: 15", "kids (audience).", X),
        ("Suitable from age: 7", "kids (audience).", S),
        ("Genres: crime, noir", "heist (genre).", N),
        ("Genres: fantasy, adventure", "witches (genre).", P),
        ("Genres: science fiction", "sci-fi (genre).", S),
        ("Parking: street parking only", "car park of its own (parking).", P),
        ("Parking: own free car park", "car park of its own (parking).", S),
    ],
)
async def test_evidence_must_say_as_much_as_the_wish(
    agent: BuiltinAgent, text: str, feature: str, expected: Label
) -> None:
    assert (await label(agent, text, feature)).label is expected


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("Humour is almost absent.", "humour (tone).", X),
        ("Vegetarians should not book.", "vegetarian (diet).", X),
        ("Those after jump scares will be bored.", "no jump scares.", S),
        ("Genres: drama, war", "no pro-war.", N),
        ("Length: 86 minutes", "must have not longer than two hours (length).", S),
        ("Length: 130 minutes", "must have not longer than two hours (length).", X),
    ],
)
async def test_what_is_said_after_a_word_may_deny_it(
    agent: BuiltinAgent, text: str, feature: str, expected: Label
) -> None:
    assert (await label(agent, text, feature)).label is expected


async def test_an_item_listed_under_a_genre_is_of_it_whatever_it_is_not(agent: BuiltinAgent) -> None:
    text = "Anyone wanting sombre high fantasy should look elsewhere.\nGenres: fantasy, comedy"
    assert (await label(agent, text, "fantasy (genre).")).label is S


@pytest.mark.parametrize("wish", ["Japanese (country).", "Japan (country).", "made in Japan (country)."])
@pytest.mark.parametrize(("country", "finding"), [("Japan", Finding.FOR), ("Germany", Finding.AGAINST)])
def test_a_country_is_met_under_each_of_its_names(wish: str, country: str, finding: Finding) -> None:
    assert fact_finding(read_feature(wish), "country", country) is finding


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        # a word of a narrower thing does not stand for the wider one, nor for another kind of it
        ("The two fall in love through shy talk.", "banter (tone).", N),
        ("They talk through the night.", "banter.", N),
        ("It is full of puns and other jokes.", "no slapstick.", N),
        ("A basketball team trains in an old gym.", "football.", P),
        ("Aliens land in a field.", "robots (genre).", P),
        ("Aliens land in a field.", "no robots (genre).", N),
        ("A football team from a small town wins the cup.", "football.", S),
        ("A basketball team trains in an old gym.", "sport (genre).", S),
        # near in meaning, and the opposite or another thing
        ("They adore each other from the first day.", "first dislike each other.", P),
        ("He remembers every face he has ever seen.", "loses his memory.", P),
        ("Her grandmother teaches her to sew.", "a grandfather.", P),
        ("The bar in the cellar closes at two.", "a rooftop bar.", P),
        # the same in words of its own
        ("An attorney defends her own brother.", "a lawyer.", S),
        ("A beekeeper tends her hives.", "bees.", S),
        ("At first the two cannot stand each other.", "first dislike each other.", S),
        # what names its form, not what stands near it
        ("Black and white: yes", "old black-and-white (format), as in “old black-and-white comedy”.", S),
        ("Black and white: no", "black-and-white (format).", X),
        ("An old comedian looks back.", "old black-and-white (format), as in “old black-and-white comedy”.", N),
    ],
)
async def test_what_is_near_a_wish_supports_it_only_if_it_is_the_same_thing(
    agent: BuiltinAgent, text: str, feature: str, expected: Label
) -> None:
    assert (await label(agent, text, feature)).label is expected


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("Frightening: mild", "no scary.", P),
        ("Frightening: mild", "no scary at all.", X),
        ("Frightening: none", "no scary at all.", S),
        ("Frightening: mild", "less scary.", S),
        ("Gentle wonder all the way.", "gentle (tone).", S),
        ("There is a little gentle violence.", "not too violent.", S),
    ],
)
async def test_how_much_of_it_is_said_and_how_much_is_allowed(
    agent: BuiltinAgent, text: str, feature: str, expected: Label
) -> None:
    assert (await label(agent, text, feature)).label is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Genres: war, drama\nThemes: medals, a long march\nSoldiers and their memories of the sea.", N),
        ("Genres: war, drama\nThemes: lighthouse", P),
        ("Genres: mystery\nThemes: lighthouse", S),
        ("A keeper of a lighthouse has a mystery to solve.", S),
    ],
)
async def test_lists_that_name_nothing_of_a_named_item_are_no_likeness_however_near_their_words(
    agent: BuiltinAgent, text: str, expected: Label
) -> None:
    feature = "similar to Lantern Hill (1984): mystery; lighthouse; seaside memories."
    assert (await label(agent, text, feature)).label is expected
