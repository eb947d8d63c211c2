"""Hard wishes against metadata (METHOD 7.5)."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.catalogues.bundled import BUNDLED, bundled_path
from pdgf.catalogues.reading import read_items
from pdgf.constraints import (
    KeyKind,
    MetadataSchema,
    Requirement,
    Verdict,
    check,
    constraint_keys,
    constraints_of,
    facts_of,
    hard_violation,
    schema_of,
)
from pdgf.models import Atom, AtomKind, Candidate, Metadata, Node, Polarity, PreferenceGraph

FILES = Path(__file__).parent / "catalogue_files"


def candidates(path: Path) -> list[Candidate]:
    return [Candidate(id=i.id, title=i.title, year=i.year, metadata=i.metadata) for i in read_items(path).items]


POOLS = {domain: candidates(bundled_path(domain)) for domain in BUNDLED}
SCHEMAS = {domain: schema_of(pool) for domain, pool in POOLS.items()}
BOOK_POOL = [
    Candidate(id=str(number), title=str(number), metadata=metadata)
    for number, metadata in enumerate(
        [
            {
                "author": ["Orla Finch"],
                "language": ["English"],
                "length": "short",
                "form": "novella",
                "violence": "none",
            },
            {
                "author": ["J.R.R. Brand"],
                "language": ["Japanese"],
                "length": "long",
                "form": "novel",
                "violence": "mild",
            },
            {
                "author": ["Orla Weir"],
                "language": ["French"],
                "length": "very long",
                "form": "novel",
                "violence": "strong",
            },
            {
                "author": ["Ito Kan"],
                "language": ["Japanese"],
                "length": "medium",
                "form": "novel",
                "violence": "moderate",
            },
        ]
    )
]
BOOKS = schema_of(BOOK_POOL)


def node(text: str, *, avoid: bool = False, strength: str = "", perspective: str = "", hard: bool = True) -> Node:
    return Node(
        id=f"{text}|{avoid}|{strength}",
        atom="a1",
        perspective=perspective,
        instantiation=text,
        polarity=Polarity.AVOID if avoid else Polarity.WANT,
        strength=strength,
        hard=hard,
    )


def verdicts(asked: Node, schema: MetadataSchema, metadata: Metadata) -> list[Verdict]:
    return [check(constraint, metadata) for constraint in constraints_of(asked, schema)]


def keys_asked(asked: Node, schema: MetadataSchema) -> list[str]:
    return [constraint.key for constraint in constraints_of(asked, schema)]


def graph(*nodes: Node, text: str = "", kind: AtomKind = AtomKind.CRITERION) -> PreferenceGraph:
    atom = Atom(id="a1", text=text, span=(0, len(text)), kind=kind, hard=True)
    return PreferenceGraph(narrative=text, atoms=(atom,), nodes=nodes, order=tuple(n.id for n in nodes))


S, V, U = Verdict.SATISFIED, Verdict.VIOLATED, Verdict.UNKNOWN


def test_a_schema_knows_the_kind_of_each_key() -> None:
    kinds = {key.key: key.kind for key in SCHEMAS["restaurants"].keys}
    assert kinds["average_spend"] is KeyKind.NUMBER
    assert kinds["wifi"] is KeyKind.BOOLEAN
    assert kinds["cuisine"] is KeyKind.CATEGORY
    assert kinds["waits"] is KeyKind.TEXT or "waits" in constraint_keys(SCHEMAS["restaurants"])
    [long_text] = schema_of([Candidate(id="1", title="1", metadata={"plot": "word " * 40})]).keys
    assert long_text.kind is KeyKind.TEXT


def test_free_text_and_other_titles_are_no_constraint_keys() -> None:
    pool = [Candidate(id="1", title="1", metadata={"plot": "word " * 40, "other_titles": ["Uno"], "pages": 300})]
    assert constraint_keys(schema_of(pool)) == ("pages",)


@pytest.mark.parametrize(
    ("text", "satisfied", "violated"),
    [
        ("under two hours", {"length_minutes": 119}, {"length_minutes": 120}),
        ("at most two hours", {"length_minutes": 120}, {"length_minutes": 121}),
        ("between 90 and 120 minutes", {"length_minutes": 90}, {"length_minutes": 89}),
        ("a slow thriller under two hours", {"length_minutes": 100}, {"length_minutes": 130}),
        ("in Japanese", {"language": ["Japanese"]}, {"language": ["English"]}),
        ("Japanese language", {"language": ["English", "Japanese"]}, {"language": ["French"]}),
        ("from Japan", {"country": ["Japan"]}, {"country": ["France"]}),
        ("directed by Hayao Miyazaki", {"director": ["Hayao Miyazaki"]}, {"director": ["Ang Lee"]}),
        ("by Miyazaki", {"director": ["Hayao Miyazaki"]}, {"director": ["Ang Lee"]}),
        ("animated", {"format": "animation"}, {"format": "live action"}),
        ("no gore", {"gore": "mild"}, {"gore": "moderate"}),
        ("for my six-year-old", {"suitable_from_age": 6}, {"suitable_from_age": 7}),
        ("black and white", {"black_and_white": True}, {"black_and_white": False}),
    ],
)
def test_a_film_wish_is_checked_against_its_key(text: str, satisfied: Metadata, violated: Metadata) -> None:
    asked = node(text)
    assert set(verdicts(asked, SCHEMAS["movies"], satisfied)) == {S}
    assert V in verdicts(asked, SCHEMAS["movies"], violated)
    assert set(verdicts(asked, SCHEMAS["movies"], {})) == {U}


@pytest.mark.parametrize(
    ("text", "satisfied", "violated"),
    [
        ("Old Harbour", {"location": "Old Harbour"}, {"location": "Mill Quarter"}),
        ("a quiet table in Old Harbour", {"location": "Old Harbour"}, {"location": "Mill Quarter"}),
        ("Italian food", {"cuisine": ["Italian", "pizza"]}, {"cuisine": ["Japanese"]}),
        ("Italian or Japanese", {"cuisine": ["Japanese"]}, {"cuisine": ["British"]}),
        ("vegan options", {"diets": ["vegan"]}, {"diets": ["halal"]}),
        ("vegetarian", {"diets": ["vegan"]}, {"diets": ["halal"]}),
        ("gluten-free", {"diets": ["gluten-free"]}, {"diets": ["vegan"]}),
        ("breakfast", {"meals": ["breakfast"]}, {"meals": ["dinner"]}),
        ("free wifi", {"wifi": True}, {"wifi": False}),
        ("without TVs", {"television": False}, {"television": True}),
        ("parking", {"parking": "own free car park"}, {"parking": "no parking nearby"}),
        ("parking", {"parking": "street parking only"}, {"parking": "none"}),
        ("outdoor seating", {"outdoor_seating": True}, {"outdoor_seating": False}),
        ("outdoor seating or a terrace", {"outdoor_seating": True}, {"outdoor_seating": False}),
        ("indoor only", {"outdoor_seating": False}, {"outdoor_seating": True}),
        ("wheelchair access", {"wheelchair_access": True}, {"wheelchair_access": False}),
        ("kid-friendly", {"good_for_children": True}, {"good_for_children": False}),
        ("under $20", {"average_spend": 19}, {"average_spend": 20}),
        ("cheap", {"price_range": "cheap"}, {"price_range": "moderate"}),
        ("not too expensive", {"price_range": "moderate"}, {"price_range": "expensive"}),
        ("affordable", {"price_range": "moderate"}, {"price_range": "very expensive"}),
        ("quiet", {"noise_level": "quiet"}, {"noise_level": "lively"}),
        ("no alcohol", {"alcohol": "none"}, {"alcohol": "full bar"}),
        ("beer and wine", {"alcohol": "full bar"}, {"alcohol": "none"}),
    ],
)
def test_a_restaurant_wish_is_checked_against_its_key(text: str, satisfied: Metadata, violated: Metadata) -> None:
    asked = node(text)
    assert S in verdicts(asked, SCHEMAS["restaurants"], satisfied)
    assert V not in verdicts(asked, SCHEMAS["restaurants"], satisfied)
    assert V in verdicts(asked, SCHEMAS["restaurants"], violated)
    assert set(verdicts(asked, SCHEMAS["restaurants"], {})) == {U}


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("an Italian girl growing up in the war", "movies"),
        ("implied violence", "movies"),
        ("a 12-year-old girl who runs away", "movies"),
        ("a story that takes place in under 24 hours", "movies"),
        ("Japan", "movies"),
        ("Sting", "movies"),
        ("alien", "movies"),
        ("something like Hayao Miyazaki", "movies"),
        ("less noisy", "restaurants"),
        ("near Old Harbour", "restaurants"),
        ("wifi or parking", "restaurants"),
        ("free parking", "restaurants"),
        ("no reservations needed", "restaurants"),
        ("not just beer or wine", "restaurants"),
        ("a place where vegans argue", "restaurants"),
        ("26 episodes", "anime"),
        ("Bones", "anime"),
        ("short", "movies"),
    ],
)
def test_a_word_that_only_occurs_or_is_ambiguous_asks_nothing(text: str, domain: str) -> None:
    assert constraints_of(node(text), SCHEMAS[domain]) == ()


@pytest.mark.parametrize("text", ["under £20", "under 20 euros", "under €20", "less than 20 pounds", "under $20"])
def test_money_of_any_currency_is_compared_as_a_number(text: str) -> None:
    [limit] = constraints_of(node(text), SCHEMAS["restaurants"])
    assert (limit.key, limit.requirement, limit.number) == ("average_spend", Requirement.LESS, 20)


def test_alternatives_of_one_key_are_one_test_that_any_of_them_passes() -> None:
    [cuisine] = constraints_of(node("Italian or French"), SCHEMAS["restaurants"])
    assert check(cuisine, {"cuisine": ["French"]}) is Verdict.SATISFIED
    assert check(cuisine, {"cuisine": ["Italian"]}) is Verdict.SATISFIED
    assert check(cuisine, {"cuisine": ["Thai"]}) is Verdict.VIOLATED
    [place] = constraints_of(node("Old Harbour or Riverside"), SCHEMAS["restaurants"])
    assert [check(place, {"location": name}) for name in ("Riverside", "University")] == [
        Verdict.SATISFIED,
        Verdict.VIOLATED,
    ]


def test_a_slip_of_the_pen_is_checked_as_the_word_that_was_meant() -> None:
    [meant] = constraints_of(node("vegitarian"), SCHEMAS["restaurants"])
    assert (meant.key, check(meant, {"diets": ["vegetarian"]})) == ("diets", Verdict.SATISFIED)


@pytest.mark.parametrize(
    ("text", "domain", "tests"),
    [
        ("around two hours", "movies", [("at_least", 120 * 0.8), ("at_most", 120 * 1.2)]),
        ("between 90 and 120 minutes", "movies", [("at_least", 90), ("at_most", 120)]),
        ("12 episodes or fewer", "anime", [("at_most", 12)]),
        ("no more than 2 seasons", "anime", [("at_most", 26)]),
        ("no more than 2 seasons", "movies", []),
    ],
)
def test_a_range_is_two_limits_and_what_nobody_records_none(
    text: str, domain: str, tests: list[tuple[str, float]]
) -> None:
    found = constraints_of(node(text), SCHEMAS[domain])
    assert [(limit.requirement.value, limit.number) for limit in found] == tests


def test_short_and_long_need_a_length_category() -> None:
    assert verdicts(node("short"), BOOKS, {"length": "short"}) == [S]
    assert verdicts(node("short"), BOOKS, {"length": "medium"}) == [V]
    assert verdicts(node("long"), BOOKS, {"length": "very long"}) == [S]
    assert verdicts(node("too long", avoid=True), BOOKS, {"length": "long"}) == [S]
    assert verdicts(node("too long", avoid=True), BOOKS, {"length": "very long"}) == [V]


def test_pages_rule_out_the_length_categories_that_lie_wholly_beyond() -> None:
    assert verdicts(node("under 300 pages"), BOOKS, {"length": "long"}) == [V]
    assert verdicts(node("under 300 pages"), BOOKS, {"length": "medium"}) == [S]
    assert verdicts(node("at least 500 pages"), BOOKS, {"length": "medium"}) == [V]


def test_a_name_is_known_without_its_initials_and_by_a_surname_nobody_shares() -> None:
    assert keys_asked(node("JRR Brand"), BOOKS) == ["author"]
    assert keys_asked(node("by Brand"), BOOKS) == ["author"]
    assert keys_asked(node("Brand"), BOOKS) == []
    shared = schema_of([*BOOK_POOL, Candidate(id="9", title="9", metadata={"author": ["Una Brand"]})])
    assert keys_asked(node("by Brand"), shared) == []


def test_the_age_of_an_audience_is_the_age_of_who_watches() -> None:
    films = SCHEMAS["movies"]
    assert verdicts(node("six-year-old", perspective="audience"), films, {"suitable_from_age": 7}) == [V]
    assert constraints_of(node("six-year-old", perspective="character"), films) == ()


def test_a_book_in_another_language_may_be_translated() -> None:
    assert verdicts(node("in English"), BOOKS, {"language": ["Japanese"]}) == [U]


@pytest.mark.parametrize(
    ("strength", "text", "levels"),
    [
        ("", "violence", {"none": S, "mild": S, "moderate": V, "strong": V}),
        ("nothing too", "violent", {"none": S, "mild": S, "moderate": S, "strong": V}),
        ("any", "violence", {"none": S, "mild": V, "moderate": V, "strong": V}),
    ],
)
def test_avoiding_content_looks_at_its_level(strength: str, text: str, levels: dict[str, Verdict]) -> None:
    asked = node(text, avoid=True, strength=strength)
    assert {level: verdicts(asked, BOOKS, {"violence": level})[0] for level in levels} == levels


def test_wanting_content_is_violated_only_where_there_is_none() -> None:
    assert [verdicts(node("violence"), BOOKS, {"violence": level}) for level in ("none", "mild", "strong")] == [
        [V],
        [S],
        [S],
    ]


def test_avoiding_inverts_a_limit_a_presence_and_a_value() -> None:
    films, eat = SCHEMAS["movies"], SCHEMAS["restaurants"]
    assert verdicts(node("over three hours", avoid=True), films, {"length_minutes": 181}) == [V]
    assert verdicts(node("wifi", avoid=True), eat, {"wifi": True}) == [V]
    assert verdicts(node("horror", avoid=True), films, {"genres": ["horror", "drama"]}) == [V]
    assert verdicts(node("horror", avoid=True), films, {"genres": ["drama"]}) == [S]


def test_not_mostly_a_genre_does_not_ban_the_genre() -> None:
    assert constraints_of(node("romance", avoid=True, strength="mostly"), SCHEMAS["movies"]) == ()


def test_a_no_inside_a_node_to_avoid_is_the_same_no() -> None:
    assert verdicts(node("no gore", avoid=True), SCHEMAS["movies"], {"gore": "strong"}) == [V]


def test_lists_of_examples_never_violate_by_silence() -> None:
    assert verdicts(node("horror"), SCHEMAS["movies"], {"genres": ["drama"]}) == [U]
    assert verdicts(node("starring Sting"), SCHEMAS["movies"], {"cast": ["Ida Brandt"]}) == [U]


def test_a_value_named_elsewhere_in_the_metadata_leaves_the_question_open() -> None:
    silent = {"language": ["silent (German intertitles)"]}
    assert verdicts(node("German language"), SCHEMAS["movies"], silent) == [U]
    vegan_dish = {"diets": ["vegetarian"], "dishes": ["vegan pancakes"]}
    assert verdicts(node("vegan"), SCHEMAS["restaurants"], vegan_dish) == [U]


def test_yelp_style_metadata_is_checked_alike() -> None:
    pool = [
        Candidate(
            id=str(price),
            title=str(price),
            metadata={
                "price range": price, "noise level": noise, "wifi": wifi, "alcohol": "full_bar", "good for kids": kids,
                "parking": parking,
            },
        )
        for price, noise, wifi, kids, parking in (
            (1, "quiet", "free", True, ["street"]), (3, "average", "no", False, []),
        )
    ]  # fmt: skip
    schema = schema_of(pool)
    cheap, dear = pool
    for text in ("cheap", "quiet", "wifi", "kid-friendly", "parking"):
        assert verdicts(node(text), schema, cheap.metadata) == [S]
        assert verdicts(node(text), schema, dear.metadata) == [V]
    assert verdicts(node("full bar"), schema, cheap.metadata) == [S]


def test_a_hard_node_that_metadata_contradicts_gives_the_reason() -> None:
    films = SCHEMAS["movies"]
    long = Candidate(id="1", title="1", metadata={"length_minutes": 137})
    verdict = hard_violation(graph(node("under two hours")), long, films)
    assert verdict.violated == "Length: 137 minutes (you asked for under two hours)"
    gory = Candidate(id="2", title="2", metadata={"gore": "strong"})
    assert hard_violation(graph(node("gore", avoid=True)), gory, films).violated == (
        "Gore: strong (you asked to avoid gore)"
    )


def test_a_hard_node_that_metadata_does_not_answer_is_unknown_and_violates_nothing() -> None:
    silent = Candidate(id="1", title="1", metadata={})
    verdict = hard_violation(graph(node("under two hours"), node("no gore")), silent, SCHEMAS["movies"])
    assert (verdict.violated, verdict.unknown) == (None, ("length minutes", "gore"))


def test_only_hard_wishes_of_criteria_are_checked() -> None:
    long = Candidate(id="1", title="1", metadata={"length_minutes": 137})
    films = SCHEMAS["movies"]
    assert hard_violation(graph(node("under two hours", hard=False)), long, films).violated is None
    for kind in (AtomKind.REFERENCE, AtomKind.FEEDBACK):
        assert hard_violation(graph(node("under two hours"), kind=kind), long, films).violated is None


@pytest.mark.parametrize(
    ("text", "violated"),
    [
        ("It must have wifi or a terrace", False),
        ("either a terrace or wifi", False),
        ("It must have wifi", True),
        ("It must have wifi and, for later or never, a view", True),
    ],
)
def test_a_wish_beside_an_or_violates_nothing(text: str, violated: bool) -> None:
    item = Candidate(id="1", title="1", metadata={"wifi": False})
    verdict = hard_violation(graph(node("wifi"), text=text), item, SCHEMAS["restaurants"])
    assert (verdict.violated is not None) is violated


def test_facts_are_plain_lines() -> None:
    metadata: Metadata = {
        "parking": "own free car park",
        "wifi": True,
        "length_minutes": 119,
        "genres": ["fantasy", "romance"],
        "suitable_from_age": 7,
        "average_spend": 18,
        "opening_hours": "daily 9:00-17:00",
        "alcohol": "beer_and_wine",
        "price range": 1,
        "score": 7.25,
        "music": [],
        "outdoor_seating": False,
    }
    assert dict(facts_of(metadata)) == {
        "parking": "Parking: own free car park",
        "wifi": "Wifi: yes",
        "length_minutes": "Length: 119 minutes",
        "genres": "Genres: fantasy, romance",
        "suitable_from_age": "Suitable from age: 7",
        "average_spend": "Average spend: 18 dollars a person",
        "opening_hours": "Opening hours: daily 9:00-17:00",
        "alcohol": "Alcohol: beer and wine",
        "price range": "Price range: cheap",
        "score": "Score: 7.25",
        "music": "Music: none",
        "outdoor_seating": "Outdoor seating: no",
    }


@pytest.mark.parametrize("domain", BUNDLED)
def test_every_value_of_a_scalar_key_that_is_named_alone_is_satisfied_by_its_own_items(domain: str) -> None:
    """A wish for exactly what an item states never counts that item as failing."""
    for item in POOLS[domain]:
        for key, value in item.metadata.items():
            for text in [value] if isinstance(value, str) else value if isinstance(value, list) else []:
                for constraint in constraints_of(node(text), SCHEMAS[domain]):
                    if constraint.key == key and constraint.requirement is Requirement.ONE_OF:
                        assert check(constraint, item.metadata) is S


@given(text=st.text(max_size=40), avoid=st.booleans(), strength=st.text(max_size=10), perspective=st.text(max_size=10))
def test_any_text_can_be_asked_of_any_schema(text: str, avoid: bool, strength: str, perspective: str) -> None:
    asked = node(text, avoid=avoid, strength=strength, perspective=perspective)
    for domain, schema in SCHEMAS.items():
        for constraint in constraints_of(asked, schema):
            assert check(constraint, POOLS[domain][0].metadata) in Verdict


@pytest.mark.parametrize(
    ("text", "kept"), [("under 30", [25]), ("between 20 and 40", [25, 40]), ("at most 60", [25, 40, 60])]
)
def test_a_price_without_a_currency_is_checked_against_the_price_of_an_own_catalogue(
    text: str, kept: list[int]
) -> None:
    pool = [Candidate(id=str(price), title=str(price), metadata={"Price": price, "Stock": 3}) for price in (25, 40, 60)]
    wish = Node(id="n", atom="a", perspective="price", instantiation=text, hard=True)
    constraints = constraints_of(wish, schema_of(pool))
    assert {constraint.key for constraint in constraints} == {"Price"}
    assert [int(c.title) for c in pool if all(check(each, c.metadata) is S for each in constraints)] == kept
