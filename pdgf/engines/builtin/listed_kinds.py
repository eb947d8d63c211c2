"""What kind of item is listed: a wish for a kind by its name against the genres of an item, and graded content (METHOD
7.1). Pure."""

from collections.abc import Iterable, Mapping

from pdgf.constraints.words import either
from pdgf.engines.builtin.features import FeatureReading
from pdgf.engines.builtin.findings import content_words
from pdgf.engines.builtin.lexicon import concept_mentions

# The kinds under which catalogues list their items, and those that stand under wider ones as often
_KINDS = either(
    "thriller|comedy|horror|western|musical|music|documentary|mystery|fantasy|science_fiction|action|crime|war"
)
_WIDER: Mapping[str, frozenset[str]] = {
    "detective": either("mystery|crime|thriller|noir|detective"),
    "heist": either("crime|thriller|heist|caper|action|comedy"),
    "gangster": either("crime|thriller|gangster|noir|action"),
}
_GRADED = frozenset({"violence", "gore", "sexual_content", "frightening"})  # levels from none to strong


def is_listed_otherwise(reading: FeatureReading, stated: Iterable[tuple[str, str]]) -> bool:
    """Whether an item is listed under genres and under none that a wish for a kind may stand under: a note may say that
    it has something of the kind, and it is none of it. `stated` are (key, value) of its lines."""
    genres = [value for key, value in stated if key == "genres"]
    if not genres:
        return False
    if is_a_kind(reading):
        return True
    wider = [_WIDER.get(mention.concept.name) for mention in concept_mentions(reading.focus)]
    if reading.perspective != "genre" or reading.avoid or not wider or wider[0] is None:
        return False
    listed = {genre.strip().casefold() for value in genres for genre in value.split(",")}
    return not any(kind in genre.split() for kind in wider[0] for genre in listed)


def is_a_kind(reading: FeatureReading) -> bool:
    """Whether a wish is for a kind of item by its name ("a thriller") and not for something that happens in one."""
    if reading.perspective != "genre" or reading.avoid or reading.contexts:
        return False
    mentions = concept_mentions(reading.focus)
    return bool(mentions) and all(
        mention.concept.name in _KINDS and mention.concept.names.fullmatch(reading.focus[mention.start : mention.end])
        for mention in mentions
    )


def is_graded(reading: FeatureReading, key: str) -> bool:
    """Whether a key grades all that a wish asks: "Frightening: mild" tells how scary an item is, and no note does so
    better."""
    if key not in _GRADED or reading.perspective == "genre":
        return False
    mentions = concept_mentions(reading.focus)
    rest = reading.focus
    for mention in reversed(mentions):
        rest = f"{rest[: mention.start]} {rest[mention.end :]}"
    return any(key in mention.concept.facts for mention in mentions) and not content_words(rest)
