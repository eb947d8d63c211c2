"""The words by which people name what metadata records: things that are there or not, levels, places, people.

Everything here is folded (lower case, hyphens as spaces). Alternatives are separated by "|".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pdgf.constraints.metadata import fold

_TOKEN = re.compile(r"\w+|\$+")


def either(text: str) -> frozenset[str]:
    """The alternatives of "a|b|c"."""
    return frozenset(text.split("|"))


def tokens_of(text: str) -> list[str]:
    """The folded words of a text."""
    return _TOKEN.findall(fold(text))


def without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with some spans blanked."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


@dataclass(frozen=True, kw_only=True)
class Presence:
    """Something an item has or has not: the keys that record it, the words for it, the words for its absence."""

    keys: frozenset[str]
    there: frozenset[str]
    absent: frozenset[str] = frozenset()


PRESENCES = (
    Presence(keys=either("wifi|wi fi|internet"), there=either("wifi|wi fi|free wifi|free wi fi|wireless|internet")),
    Presence(
        keys=either("parking|car parking|car park"),
        there=either(
            "parking|car parking|car park|parking lot|parking space|parking spaces|parking spot|place to park"
        ),
    ),
    Presence(
        keys=either("bike parking|bicycle parking"),
        there=either("bike parking|bicycle parking|bike rack|bike racks|place to lock a bike|place to park a bike"),
    ),
    Presence(
        keys=either("outdoor seating|terrace|patio"),
        there=either(
            "outdoor seating|outdoor tables|outdoor dining|outside seating|outside tables|seating outside"
            "|tables outside"
            "|terrace|patio|al fresco|outdoors|sit outside|eat outside"
        ),
        absent=either("indoor only|indoors only|indoor seating only|only indoor seating|indoor only seating"),
    ),
    Presence(
        keys=either("wheelchair access|wheelchair accessible|step free access|accessible"),
        there=either(
            "wheelchair access|wheelchair accessible|wheelchair accessibility|accessible by wheelchair|wheelchair"
            "|wheelchairs|wheelchair friendly|step free|step free access|accessible"
        ),
        absent=either("stairs|steps|staircase|staircases|stairs to climb|steps at the door|flight of stairs"),
    ),
    Presence(
        keys=either("takeaway|take out|takeout|take away"),
        there=either("takeaway|take away|takeout|take out|to go|food to go"),
    ),
    Presence(keys=either("delivery"), there=either("delivery|home delivery|delivers|delivered")),
    Presence(
        keys=either("reservations|takes reservations|bookings"),
        there=either(
            "reservations|reservation|takes reservations|booking|bookings|bookable|book a table|takes bookings"
        ),
    ),
    Presence(
        keys=either("good for children|good for kids|kid friendly|child friendly"),
        there=either(
            "kid friendly|child friendly|children friendly|good for kids|good for children|good with kids"
            "|suitable for kids|suitable for children|family friendly|kids welcome|children welcome"
        ),
    ),
    Presence(
        keys=either("good for groups|group friendly"),
        there=either("good for groups|group friendly|groups|large groups|big groups|large group|big group|large party"),
    ),
    Presence(keys=either("television|has tv|tv|tvs"), there=either("tv|tvs|television|televisions|tv screens|screens")),
    Presence(
        keys=either("dogs allowed|dog friendly|pets allowed|pet friendly"),
        there=either("dogs allowed|dog friendly|dogs welcome|pet friendly|pets allowed|bring my dog|dog allowed|dogs"),
    ),
    Presence(
        keys=either("accepts credit cards|credit cards"),
        there=either("credit cards|credit card|accepts credit cards|accept credit cards|card payment|card payments"),
    ),
    Presence(keys=either("drive thru|drive through"), there=either("drive thru|drive through")),
    Presence(keys=either("happy hour"), there=either("happy hour|happy hours|happy hour deals")),
    Presence(keys=either("caters|catering"), there=either("catering|caters|cater")),
    Presence(keys=either("byob"), there=either("byob|bring your own bottle|bring our own bottle|bring my own bottle")),
    Presence(
        keys=either("alcohol"),
        there=either("alcohol|alcoholic drinks"),
        absent=either("alcohol free|dry"),
    ),
    Presence(
        keys=either("black and white"),
        there=either("black and white|monochrome"),
        absent=either("in colour|in color"),
    ),
    Presence(
        keys=either("animal death|animal deaths"),
        there=either(
            "animal death|animal deaths|dead animals|dog dies|dogs dying|dog dying|animals dying|dying animals"
            "|pet death"
            "|animal dies|animals die|animals being killed|animals get killed|animal die|animal dying"
            "|dead animal|dead dog"
            "|dead dogs|dogs die|dead pets|dead pet|pet dies|pets die|pets dying|cat dies|horse dies|animal gets killed"
            "|animals killed|animal is killed|animals are killed|animal gets hurt|animals get hurt|animals getting hurt"
            "|animals being hurt|animals are hurt|animals harmed|cruelty to animals|animal cruelty|harm to animals"
            "|animal abuse|animals should die|animal should die|animals to die|death of an animal|dog death"
            "|pet deaths|animals hurt"
        ),
    ),
)

PLACE_KEYS = either(
    "location|district|neighborhood|neighbourhood|area|city|town|quarter|suburb|borough|region|地区|城市|位置|地点|区域|城区"
)
# Names of people and makers: the key, then the words that say in what part somebody is meant.
PERSON_CUES = {
    "director": either("director|directors|directed|by|film by|filmmaker|direction"),
    "author": either("author|authors|by|written|writer|novelist"),
    "writer": either("writer|writers|by|written|screenplay"),
    "studio": either("studio|studios|by|produced|animated|from"),
    "cast": either("cast|actor|actors|actress|starring|stars|featuring|with|played"),
    "starring": either("actor|actors|actress|starring|stars|featuring|with"),
}
KNOWN_BY_SURNAME = either("director|author|writer")
# What a word stands for wherever else it occurs: a diet is a diet even where a cuisine has the same name.
KEYS_OF_VALUE = {
    **dict.fromkeys(
        either("vegetarian|vegan|gluten free|halal|kosher|dairy free|nut free|low calorie"),
        either("diets|diet|dietary options|dietary restrictions"),
    ),
    **dict.fromkeys(either("breakfast|brunch|lunch|dinner|dessert|drinks|late night"), either("meals|good for meal")),
}
MIXED_LISTS = either(
    "cuisine|cuisines|cuisine type"
)  # nationalities are complete there, "seafood" or "pub food" are not
COUNTRY_KEYS = either("country|countries|origin|country of origin")
COUNTRY_CUES = either("from|made|produced|production|country|origin|produce")
SERIES_KEYS = either("series|franchise|saga")
SERIES_CUES = either("series|franchise|saga|trilogy|universe|books|films|cycle")
# Lists that name all there is, so that a value that is missing is not there.
COMPLETE_LISTS = either(
    "language|languages|country|countries|cuisine|cuisines|cuisine type|diets|diet|dietary options|dietary restrictions"
    "|meals|good for meal|director|directors|author|authors|studio|studios|platforms|ingredients|ingredient"
)
INGREDIENT_KEYS = either("ingredients|ingredient|contains")
# Keys whose values are examples or impressions, even where an item has just one.
NEVER_COMPLETE = either(
    "genres|genre|categories|category|keywords|tags|themes|theme|atmosphere|ambience|mood|dishes|menu|cast|actors"
    "|starring|series|franchise|saga|based on|kind|best nights|music|attire"
)
# Having the second means having the first.
IMPLIED_BY = {
    "vegetarian": ("vegan",), "dairy free": ("vegan",), "beer and wine": ("full bar",),
    "wine": ("beer and wine", "full bar"),
}  # fmt: skip
SAME_VALUE = {
    "movie": "film", "animated": "animation", "sci fi": "science fiction", "scifi": "science fiction",
    "veggie": "vegetarian",
    "tv show": "tv series", "television series": "tv series", "short story collection": "short stories",
    "nonfiction": "non fiction", "coeliac friendly": "gluten free", "lactose free": "dairy free",
}  # fmt: skip
# What an item is anyway: naming it asks for nothing.
ITEM_WORDS = either("restaurant|cafe|book|novel|place|eatery|anime|item")

# Ends of values that add nothing: "cooperative play" is asked for by "cooperative" too.
SAID_OF_ITEMS = either("play|course|courses")

NEGATORS = either(
    "no|not|without|never|avoid|avoids|avoiding|non|zero|lacks|lacking|isnt|doesnt|dont|arent|nothing|nor"
)
UTTERLY = either("absolutely|zero|any|all|whatsoever|completely|entirely|totally|none")
SOFTENERS = either(
    "too|less|fewer|overly|excessively|excessive|very|extremely|extreme|mostly|mainly|primarily|heavy|heavily|lots|lot|much|super"
    "|graphic|explicit|constant|constantly|particularly|especially|overtly|overt|gratuitous"
)
LIKENESS = either("like|similar|reminiscent|resembling|style|inspired|unlike|evokes|less|more|than")
NEARNESS = either("near|nearby|close|around|outside|towards|beyond")
# Words that add nothing to what is asked.
FILLERS = either(
    "a|an|the|some|any|all|only|at|in|on|of|for|with|by|from|to|and|or|either|both|is|are|be|being|it|its|that|which|this"
    "|has|have|having|must|should|need|needs|needed|want|wants|wanted|wish|preferably|ideally|strictly|please|i|me|my|we|our"
    "|us|you|there|definitely|really|so|required|necessary|film|films|movie|movies|book|books|novel|novels|anime|show|shows|restaurant"
    "|restaurants|cafe|cafes|place|places|spot|spots|somewhere|something|anywhere|venue|eatery|food|foods|dish|dishes"
    "|option|options|menu|cuisine|cuisines|kitchen|meal|meals|language|spoken|audio|genre|genres|content|scene|scenes"
    "|atmosphere|ambience|vibe|vibes|feel|mood|price|prices|priced|level|levels|length|rating|district|area|neighborhood"
    "|neighbourhood|quarter|located|location|directed|director|written|author|made|produced|starring|featuring"
    "|serves|serving|serve|offers|offering|offer|provides|providing|available|easy|good|great|nice|allowed|access"
    "|but|just|kind|type|sort|friendly|series|studio|country|actor|actress|cast|setting|facilities|facility"
)
STORY_WORDS = either(
    "story|stories|plot|takes|set|happens|happening|hero|heroine|character|characters|event|events|unfolds"
)
CHILD_WORDS = either(
    "for|my|our|his|her|son|daughter|child|children|kid|kids|niece|nephew|grandson|granddaughter|boy|girl|suitable"
    "|appropriate|okay|ok|fine|safe|watch|watching|read|reading|together|with|old|olds|year|years|little|who|turned|can|and"
)
CHILD_CUES = either("for|with|suitable|appropriate|okay|ok|safe|my|our|aged|ages|age")
KEYS_OF_UNIT = {
    "minute": (
        "length minutes",
        "runtime",
        "runtime minutes",
        "running time",
        "duration",
        "duration minutes",
        "length",
    ),
    "hour": ("length hours", "duration hours", "runtime hours", "playing time hours"),
    "dollar": ("average spend", "average price", "price per person", "price", "cost", "average cost", "spend"),
    "page": ("pages", "page count", "length pages", "number of pages"),
    "episode": ("episodes", "episode count", "number of episodes"),
}
AGE_KEYS = ("suitable from age", "minimum age", "age", "recommended age", "age rating", "from age")
