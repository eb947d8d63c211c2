"""Nationalities and the countries that they stand for: "British" is said of the United Kingdom, "European" of all that
lie in Europe. Pure."""

import re
from collections.abc import Mapping

from pdgf.constraints.metadata import fold

# The names under which metadata know what is called so, folded.
COUNTRIES: Mapping[str, tuple[str, ...]] = {
    "america": ("united states",), "american": ("united states",),
    "argentinian": ("argentina",), "argentine": ("argentina",),
    "australian": ("australia",), "austrian": ("austria",), "belgian": ("belgium",), "brazilian": ("brazil",),
    "britain": ("united kingdom",), "british": ("united kingdom",), "canadian": ("canada",), "chilean": ("chile",),
    "chinese": ("china", "hong kong", "taiwan"), "colombian": ("colombia",), "cuban": ("cuba",),
    "czech": ("czechia", "czech republic", "czechoslovakia"), "danish": ("denmark",), "dutch": ("netherlands",),
    "egyptian": ("egypt",), "england": ("united kingdom",), "english": ("united kingdom",),
    "ethiopian": ("ethiopia",), "filipino": ("philippines",), "finnish": ("finland",), "french": ("france",),
    "georgian": ("georgia",), "german": ("germany", "west germany", "east germany"),
    "great britain": ("united kingdom",), "greek": ("greece",), "holland": ("netherlands",),
    "hungarian": ("hungary",), "icelandic": ("iceland",), "indian": ("india",), "indonesian": ("indonesia",),
    "iranian": ("iran",), "irish": ("ireland",), "israeli": ("israel",), "italian": ("italy",),
    "jamaican": ("jamaica",), "japanese": ("japan",), "korea": ("south korea",), "korean": ("south korea", "korea"),
    "lebanese": ("lebanon",), "mexican": ("mexico",), "moroccan": ("morocco",), "new zealander": ("new zealand",),
    "nigerian": ("nigeria",), "norwegian": ("norway",), "pakistani": ("pakistan",), "peruvian": ("peru",),
    "persian": ("iran",), "polish": ("poland",), "portuguese": ("portugal",), "romanian": ("romania",),
    "russia": ("russia", "soviet union"), "russian": ("russia", "soviet union"), "scotland": ("united kingdom",),
    "scottish": ("united kingdom",), "senegalese": ("senegal",), "soviet": ("soviet union",),
    "south african": ("south africa",), "south korean": ("south korea",), "spanish": ("spain",),
    "swedish": ("sweden",), "swiss": ("switzerland",), "taiwanese": ("taiwan",), "thai": ("thailand",),
    "the us": ("united states",), "the usa": ("united states",), "the states": ("united states",),
    "turkish": ("turkey",), "ukrainian": ("ukraine",), "usa": ("united states",), "uk": ("united kingdom",),
    "the uk": ("united kingdom",), "vietnamese": ("vietnam",), "welsh": ("united kingdom",),
}  # fmt: skip
_NORTH = ("denmark", "finland", "iceland", "norway", "sweden")
_EUROPE = (
    *_NORTH, "albania", "austria", "austria hungary", "belarus", "belgium", "bosnia and herzegovina", "bulgaria",
    "croatia", "cyprus", "czech republic", "czechia", "czechoslovakia", "east germany", "estonia", "france", "germany",
    "greece", "hungary", "ireland", "italy", "kosovo", "latvia", "lithuania", "luxembourg", "malta", "moldova",
    "montenegro", "netherlands", "north macedonia", "poland", "portugal", "romania", "russia", "serbia", "slovakia",
    "slovenia", "soviet union", "spain", "switzerland", "ukraine", "united kingdom", "west germany", "yugoslavia",
)  # fmt: skip
_ASIA = (
    "afghanistan", "bangladesh", "bhutan", "cambodia", "china", "hong kong", "india", "indonesia", "iran", "iraq",
    "israel", "japan", "jordan", "kazakhstan", "kuwait", "laos", "lebanon", "macau", "malaysia", "mongolia", "myanmar",
    "nepal", "north korea", "pakistan", "palestine", "philippines", "qatar", "saudi arabia", "singapore", "south korea",
    "sri lanka", "syria", "taiwan", "thailand", "turkey", "united arab emirates", "uzbekistan", "vietnam", "yemen",
)  # fmt: skip
_AFRICA = (
    "algeria", "angola", "botswana", "burkina faso", "cameroon", "chad", "congo", "egypt", "ethiopia", "ghana",
    "ivory coast", "kenya", "libya", "madagascar", "mali", "mauritania", "morocco", "mozambique", "namibia", "niger",
    "nigeria", "rwanda", "senegal", "south africa", "sudan", "tanzania", "tunisia", "uganda", "zambia", "zimbabwe",
)  # fmt: skip
_LATIN_AMERICA = (
    "argentina", "bolivia", "brazil", "chile", "colombia", "costa rica", "cuba", "dominican republic", "ecuador",
    "guatemala", "honduras", "mexico", "nicaragua", "panama", "paraguay", "peru", "uruguay", "venezuela",
)  # fmt: skip
# Which countries lie where, by the names of the regions and the words for what comes from there
REGIONS: Mapping[str, tuple[str, ...]] = {
    "europe": _EUROPE, "european": _EUROPE, "asia": _ASIA, "asian": _ASIA, "africa": _AFRICA, "african": _AFRICA,
    "scandinavia": _NORTH, "scandinavian": _NORTH, "nordic": _NORTH,
    "latin america": _LATIN_AMERICA, "latin american": _LATIN_AMERICA,
}  # fmt: skip
_REGION_NAMES = frozenset({"europe", "asia", "africa", "scandinavia", "latin america"})
_FROM = re.compile(r"^(?:(?:made|produced) in|(?:made |coming |comes )?from) (?:the )?")
_WHERE_SET = re.compile(r"^(?:not )?(?:set |takes place |taking place )?(?:in )?(?:the )?")
_BY_NAME = frozenset({"america", "usa", "us", "states", "britain", "great britain", "england", "scotland", "uk"}) | {
    *("holland", "korea", "russia")
}
_NAMED: dict[str, list[str]] = {}
for _adjective, _names in COUNTRIES.items():
    for _name in _names:
        _NAMED.setdefault(_name, []).append(_adjective)


def countries_of(words: str) -> tuple[str, ...]:
    """The countries that a nationality, a region or another name of a country stands for, folded; empty for other
    words."""
    said = fold(words)
    return COUNTRIES.get(said, REGIONS.get(said, ()))


def origin_asked(words: str) -> tuple[str, ...]:
    """The countries that something is to come from, where words leave no doubt of it: "made in Japan", "from Europe",
    "European". Folded; empty for a bare name, which may be where it is set, and for other words."""
    said = fold(words)
    bare = _FROM.sub("", said)
    if bare == said:
        return () if said in _REGION_NAMES else REGIONS.get(said, ())
    return (bare,) if bare in _NAMED else countries_of(bare)


def country_named(words: str) -> tuple[str, ...]:
    """The country that a place in a story is in by its name alone ("America", "the United States"), or those of a
    region ("Europe"), folded; empty for words that name none, or more than that. What is made there is often set there,
    and not always."""
    said = _WHERE_SET.sub("", fold(words))
    if said in _NAMED:
        return (said,)
    if said in _REGION_NAMES:
        return REGIONS[said]
    return COUNTRIES.get(said, COUNTRIES.get(f"the {said}", ())) if said in _BY_NAME else ()


def said_of(country: str) -> tuple[str, ...]:
    """The words for what comes from a country, those of the regions that it lies in too."""
    lies_in = (word for word, countries in REGIONS.items() if word not in _REGION_NAMES and fold(country) in countries)
    return (*_NAMED.get(fold(country), ()), *lies_in)


def regions_of(country: str) -> tuple[str, ...]:
    """The names of the regions that a country lies in."""
    return tuple(name for name in REGIONS if name in _REGION_NAMES and fold(country) in REGIONS[name])
