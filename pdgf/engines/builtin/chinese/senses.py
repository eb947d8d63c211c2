"""English sentences in which the English words of a Chinese wish stand in another sense (METHOD 12).

A gloss is one or two words: 节奏快 asks for "fast", which is no fast food, and 感人 for "touching", which is no human
touch. Such sentences say nothing of the wish.
"""

import re
from functools import lru_cache

from pdgf.engines.builtin.features import read_feature
from pdgf.engines.builtin.findings import mentioned

_OTHER_SENSES = re.compile(
    r"\b(?:"
    r"fast[- ]?food|fast asleep|fast(?:s|ed|ing)|fasten\w*|hold\w* fast|stuck fast"
    r"|for sport|sport(?:s|ed|ing) an?|sports? (?:cars?|jackets?|bar)|(?:good|poor|bad) sports?|spoilsports?"
    r"|(?:\w+ )?touch(?:es)?|in touch"
    r"|after dark|dark (?:chocolate|wood|beer|roast|hair|eyes|suits?)|in the dark about"
    r"|warm(?:s|ed|ing)?[- ]up|cheap (?:shots?|tricks?|jokes?|laughs?|scares?)"
    r"|calls? to action|class action|(?:take|takes|took) action|romance languages?"
    r"|sweet (?:potato(?:es)?|corn|tooth|and sour|spot)"
    r"|(?:so|as) long as|no longer|long ago|long hair|in short|short (?:of|on)|shortly"
    r"|old[- ]school|schools? of (?:thought|fish)|(?:parking|breathing|personal) spaces?|spaces? (?:between|for)"
    r"|to (?:his|her|their|my) horror|price wars?|wars? of words|music to (?:my|the) ears"
    r"|hot dogs?|dog-eared|underdogs?|fish out of water|cups? of tea|slow cook\w*|slow[- ]roast\w*|slow motion"
    r"|cold[- ]blooded|in cold blood|new blood|bad blood|family name|exciting menu"
    r")\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=100_000)
def in_another_sense(sentence: str, feature: str) -> bool:
    """Whether a sentence names an f_v in English words only where they mean something else."""
    if not _OTHER_SENSES.search(sentence):
        return False
    reading = read_feature(feature)
    masked = _OTHER_SENSES.sub("…", sentence)
    return mentioned(reading, sentence)[0] is not None and mentioned(reading, masked)[0] is None
