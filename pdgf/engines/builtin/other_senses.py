"""English sentences in which the words of a wish stand in another sense, most often in a compound (METHOD 12).

"Quiet" is no silent film, "live music" no music video, "fast" no fast food; and of a Chinese wish only a gloss of one
or two words meets English sentences: 感人 asks for "touching", which is no human touch. Such sentences say nothing of
the wish.
"""

import re
from functools import lru_cache

from pdgf.engines.builtin.features import FeatureReading, read_feature
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
    r"|silent[- ](?:films?|movies?|pictures?|era|cinema|stars?|comed(?:y|ies|ians?)|clowns?)|dead silent"
    r"|music (?:videos?|quiz(?:zes)?|hall|box(?:es)?|teachers?|stands?|shops?|channels?)|comic[- ](?:books?|strips?)"
    r"|stranger (?:than|of the two|still|and stranger)|trains? of thought|train(?:s|ed|ing)? (?:as|up|to be|hard)"
    r"|laughing[- ]?stocks?|no laughing matter"
    r"|(?:bored|scared|frightened|tickled|worked|talked) to death|sick to death|to die for|die[- ]?hards?"
    r"|dying (?:to|for)"
    r"|(?:die|died|dies|dying) (?:of )?(?:laughing|laughter|boredom)|death cults?|life[- ]and[- ]death"
    r"|cold[- ]blooded|in cold blood|new blood|bad blood|family name|exciting menu"
    r")\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=100_000)
def in_another_sense(sentence: str, feature: str) -> bool:
    """Whether a sentence names an f_v in English words only where they mean something else."""
    return only_in_another_sense(read_feature(feature), sentence)


def only_in_another_sense(reading: FeatureReading, sentence: str) -> bool:
    """Whether a sentence names a wish that was read only where its words mean something else. A wish that has such
    words itself ("a silent film") means them so."""
    if not _OTHER_SENSES.search(sentence) or _OTHER_SENSES.search(reading.focus):
        return False
    masked = _OTHER_SENSES.sub("…", sentence)
    return mentioned(reading, sentence)[0] is not None and mentioned(reading, masked)[0] is None
