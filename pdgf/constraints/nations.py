"""Nationalities and the countries that they stand for: "British" is said of the United Kingdom. Pure."""

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
_WHERE_SET = re.compile(r"^(?:not )?(?:set |takes place |taking place )?(?:in )?(?:the )?")
_BY_NAME = frozenset({"america", "usa", "us", "states", "britain", "great britain", "england", "scotland", "uk"}) | {
    *("holland", "korea", "russia")
}
_NAMED: dict[str, list[str]] = {}
for _adjective, _names in COUNTRIES.items():
    for _name in _names:
        _NAMED.setdefault(_name, []).append(_adjective)


def countries_of(words: str) -> tuple[str, ...]:
    """The countries that a nationality or another name of a country stands for, folded; empty for other words."""
    return COUNTRIES.get(fold(words), ())


def country_named(words: str) -> tuple[str, ...]:
    """The country that a place in a story is in by its name alone ("America", "the United States"), folded; empty for
    words that name none, or more than a country. A country made there is often set there, and not always."""
    said = _WHERE_SET.sub("", fold(words))
    if said in _NAMED:
        return (said,)
    return COUNTRIES.get(said, COUNTRIES.get(f"the {said}", ())) if said in _BY_NAME else ()


def said_of(country: str) -> tuple[str, ...]:
    """The words for what comes from a country."""
    return tuple(_NAMED.get(fold(country), ()))
