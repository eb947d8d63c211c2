"""Words by which people refuse a thing without a plain "no": "slow films bore me", "we can't have shellfish". Pure.

What somebody does not eat is a condition and no matter of taste.
"""

import re
from typing import NamedTuple

_ME = r"(?:me|us|him|her|them|everyone|everybody|(?:my|our) (?:\w+ ){0,2}?\w+)"
_MY = r"(?:my|our|his|her|their)"
_CANNOT = (
    r"(?:can['’]?t|ca n't|can ?not|could(?:n['’]t| not)|won['’]t|will not|am unable to|is unable to|are unable to)"
)
_DO_NOT = r"(?:(?:do|does|did)(?:n['’]?t| not)|never)"
# What a recommender is bidden: "don't give me anything scary", "please do not recommend musicals"
_BRING = (
    r"(?:give|show|recommend|suggest|send|pick|choose|offer|bring|propose|serve|find|list|include|add|get|feed|hand"
    r"|throw in|put in|play)"
)
_LESS_SO = r"(?:(?:really|just|always|usually|often|simply|quickly|easily|all|also|totally|generally|tend to)\s+)*"
_IT = (
    r"(?:it|that|this|they|everything|the (?:last |first )?(?:film|movie|book|novel|show|series|anime|story|one|pace))"
)
_BECAUSE = (
    rf"(?:because|as|since) {_IT} (?:was|is|were|got|gets|are)"
    r"(?P<{}>(?:\s+(?:so|too|very|just|really|such an?|much))*)"
)
_SO = r"(?:(?:so|too|very|just|really|such an?|much)\s+)*"

# "Not more than ten minutes of fighting": little of it
_AT_MOST = (
    r"(?:(?:no|not) more than|(?:no|not) over|at (?:the )?most|less than|fewer than|under|up to|max(?:imum)?(?: of)?)"
)
_FEW = r"(?:[12]?\d|30|an?|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|a couple of|a few)"

_EATING = (
    r"(?:(?:do|does|did)(?:n['’]?t| not) (?:\w+ly |really )?(?:eat|touch|drink|consume|digest)"
    rf"|{_CANNOT} (?:\w+ly |really |even )?(?:eat|have|touch|drink|digest|stomach|tolerate|consume|do)"
    r"|must(?:n['’]t| not) (?:eat|have|touch)|may not (?:eat|have)|never (?:eats?|touch(?:es)?|drinks?)"
    r"|(?:not|n['’]t) (?:allowed|supposed) (?:to (?:eat|have)|any)"
    r"|(?:gave|given) up (?:eating )?|(?:stay|keep)s? (?:away|off) from eating"
    r"|aller(?:gic|gy|gies) to|intolerant (?:to|of)|intolerance (?:to|of|for))"
)
_FOOD = re.compile(
    rf"\b{_EATING}\s+(?:any\s+|much\s+)?(?!(?:it|that|this|here|there|out|dinner|lunch|anything|much|a|an|the)\b)",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:"
    rf"(?:(?:get|gets|got|getting|be|is|am|are|was|were|grow|grows)\s+)?{_SO}bored (?:by|with|of|during|in|at)"
    r"|(?:lose|loses|losing|lost|ha(?:s|ve) (?:no|little|not much)|no) patience (?:with|for)"
    r"|ha(?:s|ve) no (?:time|stomach|interest) (?:for|in)"
    rf"|{_CANNOT} (?:sit through|get through|get into|cope with|deal with|handle|face"
    r"|take(?! (?:my|our|your|his|her|their|the) eyes)|abide|watch|(?:stand|bear|take) the sight of"
    r"|see(?= (?:any |much )?(?:blood|gore|violence|guts|needles|cruelty|suffering|wounds|dead|death|nudity|sex)\b))"
    rf"|{_CANNOT} be (?:bothered|arsed|doing)(?: (?:with|to (?:read|watch|sit through|put up with)|reading|watching))?"
    r"|(?:ha(?:s|ve|d|ving)|(?:['’]s|['’]ve) got|got) (?:an? |some |real |bad |severe |serious |huge |lots of )*"
    r"(?:trouble|difficult(?:y|ies)|problems?|issues|hard time|phobia|fear|terror) (?:with|of|on|(?:with )?climbing"
    r"|(?:with )?using|going up)"
    r"|struggles? with|(?:is|are|am|['’]m|['’]s) phobic (?:about|of)"
    r"|(?<=\bi )(?:do|really|would|definitely) mind|(?<=\bwe )(?:do|really|would|definitely) mind"
    r"|(?:it|this|that|they|there|the (?:film|movie|book|place)) (?:can(?:['’]?t|not)|can not|better not)"
    r" (?:be|have|get|contain|include|feel|involve|feature|turn)(?: (?:too|so|very|any|all)(?= ))*(?! (?:beat"
    r"|bad|wrong)\b)"
    r"|(?:do|does|did)(?:n['’]?t| not) (?:rely|depend|lean|dwell|focus|cent(?:re|er)|revolve|hinge) (?:on|upon|around)"
    r"|(?:(?:a|i['’]?ll|hard|big|firm|definite|easy) )+pass on"
    rf"|{_CANNOT} (?:climb|manage|use|walk|walk up|go up|get up|do|take|face)"
    r"(?= (?:any |many |a lot of |the )?(?:stairs|steps|staircases?|escalators?|hills)\b)"
    rf"|{_CANNOT} (?:read|watch|see|take|bear|stand|handle|face|do|stomach)(?: or (?:read|watch))?"
    r" (?:anything|any|something)"
    r"(?: (?:too|very|so|that is|that['’]s)(?= ))*"
    rf"|(?:fell|falls?|falling) asleep (?:during|in|at|{_BECAUSE.format('asleep')})"
    rf"|(?:walked out|gave up|gave it up|switched (?:it )?off|stopped|put it down|did(?:n['’]t| not) finish it)"
    rf" {_BECAUSE.format('left')}"
    rf"|{_DO_NOT} (?:ever |even |just )*{_BRING}(?: {_ME})?(?: (?:anything|any|something))?"
    r"(?: (?:too|very|so|that is|that['’]s)(?= ))*"
    rf"|{_DO_NOT} (?:make|let) (?:it|this|that|them)(?: be)?(?: (?:too|very|so|overly|all)(?= ))*"
    r"|refus(?:e|es|ed|ing) to (?:watch|read|see|eat|sit through|touch)(?: (?:anything|any|something))?"
    rf"|spare {_ME}(?: (?:from|of))?|go (?:easy|light|lightly) on"
    r"|(?:(?<=^)|(?<=[.,;!\n] )|(?<=\bplease )|(?<=\bjust )|(?<=\band )|(?<=\bbut )|(?<=\blet['’]s )|(?<=\blets )"
    r"|(?<=\bshall we )|(?<=\bcan we )|(?<=\bi['’]d ))"
    r"(?:leave out|skip|cut out|omit|exclude|forgo)(?: (?:anything|everything|stuff|things|films|movies|books"
    r"|places)(?: (?:with|that (?:has|have|is|are)))?(?= ))?"
    r"(?! (?:(?:the|that|this) )?(?:it|this|that|them|these|those|to|ahead"
    r"|first|second|third|fourth|fifth|last|next|one|ones|numbers?|#?\d+|intro)\b)"
    r"|(?:put|turned) off by|(?:squeamish|sensitive) about|averse to|(?:scared|afraid|terrified|frightened) of"
    r"|zero(?= (?:violence|gore|blood|sex|nudity|romance|swearing|profanity|horror|noise|scares|jump scares|tolerance))"
    r"|(?:do|does)(?:n['’]?t| not) do|(?:had|have) (?:more than )?enough of|enough (?:with|of)(?= (?:the|these|all)\b)"
    r"|(?:had|have) it with|(?:done|through) with"
    r"|(?<!\w)(?:i|we)(?:['’]m| am|['’]re| are) (?:so |totally |kind of |completely )*over"
    r"(?! (?:the moon|here|there)\b)"
    r"|(?:do|does|did)(?:n['’]?t| not) (?:(?:really|much|particularly|especially|actually|usually|normally"
    r"|generally|ever"
    r"|all that|tend to|at all) )+(?:like|enjoy|love|care for|want|fancy|appreciate|go for|get on with)"
    r"|dislikes|loathes?|detests?|despises?|ha(?:s|ve) an aversion to"
    rf"|{_AT_MOST} {_FEW} (?:minutes?|mins?|seconds?|scenes?|moments?|bits?) of"
    r"|(?:any|every|some)where (?:but|except(?: for)?|other than|apart from|besides)"
    r"|any (?:district|area|part of town) (?:but|except(?: for)?|other than|apart from)"
    r")\s+(?!(?:it|that|this|them|much|anything|to)\b)",
    re.IGNORECASE,
)
# "I find musicals boring", "if there's a jump scare I'm out"
_FOUND = re.compile(
    r"\b(?:find|finds|found)\s+(?!(?:it|that|this|them|me|us|something|anything|an?)\b)(?:[\w'’-]+\s+){1,4}?"
    r"(?P<said>(?:(?:so|really|too|very|just|rather|pretty|all|a bit)\s+)*(?:boring|dull|tedious|annoying|irritating"
    r"|depressing|unbearable|exhausting|tiresome|silly|off-putting|disturbing|unpleasant|hard to watch))\b"
    r"|\bif\s+(?:there(?:['’]s| is| are)|it(?:['’]s got| has)|i see)\s+[^.,;!?\n]{2,40}?,?\s+(?:then )?"
    r"(?P<leaves>(?:i['’]m|i am|we['’]re|we are) (?:out|off|gone|leaving|not watching))\b",
    re.IGNORECASE,
)
# "Set outside England", "a film that does not take place in London": a place that is refused
_ITEMS = (
    *("place", "places", "restaurant", "restaurants", "film", "films", "movie", "movies"),
    *("book", "books", "novel", "novels", "story", "stories", "one"),
)
_ITEM_BEFORE = "|".join(rf"(?<=\b{noun} )" for noun in _ITEMS)
_ELSEWHERE = re.compile(
    r"(?:\b(?:set|takes? place|taking place|happens?|happening|plays? out|filmed|shot|made|located|based|written"
    rf"|somewhere|anywhere|from) (?:\w+ly )?|{_ITEM_BEFORE})outside(?: of)? (?=(?:the )?(?-i:[A-Z]))"
    r"|\b(?:set|takes? place|taking place) (?:\w+ly )?outside(?: of)? (?=(?:the|an?|any) )"
    r"|\b(?:(?:do|does|did)(?:n['’]?t| not)|(?:must|should)(?:n['’]t| not)) (?:take place|happen|play out|be set) in ",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?<!\bthat )(?<!\bwhich )(?<!\bwho )(?<!\bto )(?<!\bnever )(?<!\bnot )(?<!n't )(?<!\bnothing )(?<!\bsomething )"
    r"\b(?:"
    rf"{_LESS_SO}(?:bores?|bored|annoys?|annoyed|irritates?|irritated|depress(?:es|ed)?|upsets?|disgusts?"
    rf"|disturbs?) {_ME}\b"
    r"(?: (?:to (?:tears|death)|stiff|silly))?"
    rf"|{_LESS_SO}(?:puts?|sends?) {_ME} (?:right |straight )?to sleep"
    rf"|{_LESS_SO}(?:makes?|made) {_ME} (?:yawn|sick|ill|queasy|uncomfortable|anxious|cringe|fall asleep|lose interest)"
    rf"|{_LESS_SO}(?:gets?|got|goes|go) on {_MY} nerves"
    rf"|{_LESS_SO}gives? {_ME} (?:nightmares|the creeps|a headache|the shivers)"
    rf"|{_LESS_SO}(?:leaves? {_ME} cold|turns? {_ME} off)"
    rf"|(?:is|are|['’]s|was|were)(?: (?:really|just|so|definitely))?(?:n['’]t| not) (?:really |exactly |quite "
    rf"|so much )*"
    rf"(?:for (?:me|us|him|her|them)|{_MY} (?:\w+['’]s )?(?:thing|cup of tea|kind of thing|style|favou?rite))"
    rf"|(?:do|does)(?:n['’]t| not) (?:really )?(?:do it|work) for (?:me|us|him|her|them)"
    r"|(?:(?:is|are)(?:n['’]t| not)|not) (?:ok(?:ay)?|fine|alright|all right|acceptable|welcome|allowed)\b"
    r"|(?:is|are) not(?=\s*(?:[.,;!?]|$))"
    r"|(?:is|are) (?:a |an )?(?:absolute |total |real )?(?:deal[- ]?breaker|turn[- ]?off|no[- ]go)s?\b"
    r"|(?:is|are) (?:off the table|out of the question)"
    r"|(?:is|are|['’]s|would be|can be|will be) (?:(?:always|really|often|also) )*(?:an? )?(?:real |big |huge "
    r"|bit of an? )*"
    r"(?:problem|issue|struggle|nuisance|challenge|no[ -]good|no use|no fun)s?\b"
    rf"|(?:is|are) (?:too |very |so |really )*(?:hard|difficult|impossible|tricky|much|painful|exhausting) for {_ME}"
    r"|(?:is|are) (?:an? )?(?:hard |firm |big |clear |definite |absolute )?no(?: (?:from|for) (?:me|us))?"
    r"(?=\s*(?:[.,;!?]|$))"
    r"|(?:kept |held )?(?:to|at) (?:a|an absolute|the bare|the) minimum"
    r"|that (?:i|we|he|she|they|my \w+|our \w+) (?:almost |nearly |both |all )?(?:fell asleep|walked out"
    r"|gave up|lost interest"
    r"|stopped (?:watching|reading)|switched (?:it )?off)"
    r")",
    re.IGNORECASE,
)
_OF_THE_STORY = re.compile(
    r"\b(?:who|whose|about|hero(?:ine)?|characters?|protagonist|boy|girl|man|woman|detective)\b[^.,;!?\n]*$",
    re.IGNORECASE,
)

# "For a friend who cannot handle gore": whom the item is for
_FOR_THEM = re.compile(
    r"\bfor\s+(?:(?:an?|the|my|our|his|her|their|some|those|all)\s+)?(?:[\w'’-]+\s+){0,2}[\w'’-]+,?\s+who\s+$",
    re.IGNORECASE,
)
# What is missing where it is a problem, and so is asked for
_SCARCE = re.compile(
    r"\b(?:parking|money|time|budget|price|cost|transport|distance|space|seating|booking|access|finding \w+"
    r"|getting \w+)\s+$",
    re.IGNORECASE,
)
_DENIED = re.compile(r"(?:\bnever|\bnot|n['’]?t|\bwithout)\s+(?:get(?:ting)?\s+|be(?:ing)?\s+)?$", re.IGNORECASE)


class Refusal(NamedTuple):
    """Words that refuse what stands right after them, or before them where `after` is set."""

    start: int
    end: int
    after: bool
    food: bool
    said: int  # where what is said of the thing itself begins: "so slow" of "fell asleep because it was so slow"


def refusals(text: str) -> tuple[Refusal, ...]:
    """The refusing words of a text, in order, without overlap; what somebody in the story cannot bear is none."""
    found: list[Refusal] = []
    for pattern in (_FOOD, _ELSEWHERE, _BEFORE, _AFTER):
        for match in pattern.finditer(text):
            start, end = match.start(), match.start() + len(match[0].rstrip())
            begin = max(0, start - 60)
            of_story = _OF_THE_STORY.search(text, begin, start) and not _FOR_THEM.search(text, begin, start)
            if pattern in (_FOOD, _BEFORE) and of_story:
                continue
            if _DENIED.search(text, max(0, start - 20), start):
                continue
            if pattern is _AFTER and _SCARCE.search(text, begin, start):
                continue
            if all(end <= other.start or start >= other.end for other in found):
                groups = (name for name in ("asleep", "left") if match.groupdict().get(name) is not None)
                said = next((match.start(name) + 1 for name in groups), start)
                found.append(Refusal(start, end, pattern is _AFTER, pattern is _FOOD, min(said, end)))
    for match in _FOUND.finditer(text):
        start, end = match.span("said" if match["said"] else "leaves")
        if all(end <= other.start or start >= other.end for other in found):
            found.append(Refusal(start, end, after=True, food=False, said=start))
    return tuple(sorted(found))


def without_refusal(words: str) -> str:
    """The words without those that refuse: "slow films" of "slow films put me to sleep"."""
    for refusal in reversed(refusals(words)):
        words = f"{words[: refusal.start]} {words[refusal.end :]}".strip()
    return words


def refuses_food(words: str) -> bool:
    """Whether words such as a node's strength say that somebody does not eat what follows."""
    return bool(_FOOD.match(f"{words} x"))
