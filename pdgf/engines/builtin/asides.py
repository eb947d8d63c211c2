"""What of a narrative speaks of the teller and not of the item: company, courtesy, time, talk to the system.

Who somebody eats or watches with is a condition that no item can be judged by, unless it says more than who it is
("my kids", "six people", "a date"): such words are left to be read as wishes.
"""

import re
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from pdgf.constraints.words import either
from pdgf.engines.builtin.system_talk import system_talk

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Span = tuple[int, int]

_KIN = (
    r"(?:(?:grand|step)?(?:mother|father|parent|son|daughter)s?|(?:step)?(?:sister|brother)s?|mums?|moms?|mummy|mommy"
    r"|dads?|daddy|folks|grandmas?|grandpas?|granny|nan|wife|wives|husbands?|partners?|spouse|girlfriends?|boyfriends?"
    r"|gf|bf|hubby|wifey|missus|bestie|kiddos?|fianc[eé]e?|siblings?|twins?|cousins?|aunts?|aunties?|uncles?"
    r"|nieces?|nephews?|in-laws|relatives|family"
    r"|(?:best )?friends?|mates?|pals?|budd(?:y|ies)|colleagues?|co-?workers?|workmates?|boss|team|clients?|customers?"
    r"|neighbou?rs?|teachers?|flatmates?|roommates?|housemates?|classmates?|guests?|visitors?|(?:book |film "
    r"|reading )?club"
    r"|reading group|office|crush|other half|better half)"
)
_PERSON = (
    r"(?:(?:grand)?(?:sons?|daughters?)|sisters?|brothers?|cousins?|aunts?|aunties?|uncles?|nieces?|nephews?"
    r"|mums?|moms?|dads?"
    r"|grandmas?|grandpas?|grannies|granny|grand(?:mother|father)s?|wife|husband|girlfriend|boyfriend|god(?:son"
    r"|daughter|child))"
)
_OF_WHOM = r"(?:(?:best|old|oldest|older|elder|eldest|younger|youngest|dear|little|big|new|lovely|late|two|three) )*"
_OCCASION = (
    r"(?:['’]s?)?(?:\s+(?:\w+\s+)?(?:birthday|anniversary|retirement|graduation|leaving do|visit|wedding|party"
    r"|\w+t(?:ie)?th)\b)?"
)
_OTHERS = (
    r"(?:(?:an?|some|the|two|three|four|a few|a couple of|several|another)\s+)?(?:good |old |close |best |work )*"
    r"(?:friends?|mates?|pals?|budd(?:y|ies)|colleagues?|co-?workers?|clients?|neighbou?rs?|flatmates?|roommates?"
    r"|classmates?|in-laws|relatives|guests|visitors|someone|somebody|the girls|the boys|the lads)(?: of mine)?\b"
)
_OUTING = (
    r"(?:breakfast|brunch|lunch|dinner|supper|drinks|coffee|meal|bite|dine|dining|eat|eating|watch|watching|see|seeing"
    r"|read|reading|go|going|out|evening|night|meet|meeting|up|celebrate|celebrating|table|place|somewhere|something"
    r"|afternoon|weekend|tonight|tomorrow)"
)
_SMALL_COUNT = r"(?:one|two|three|four|[1-4]|a few|several|a couple(?: of)?)"
_UNIT_OF_TIME = r"(?:days?|nights?|weeks?|weekends?|months?|years?|mornings?|afternoons?|evenings?)"
_COUNT = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|a few|few|a couple of|several|many|some)"

_GROWN_UP = (
    r"(?:1[89]|[2-9]\d|10\d|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[\s-]\w+?)?)"  # an age in years
)
# What somebody lives with and asks of an item by it
_ASKS_OF_ITEMS = r"allerg|intoleran|diet|kid|child|toddler|teen|baby"

_PATTERNS = (
    # company, named as the teller's own
    rf"(?:\b(?:(?:together|along|out)\s+)?(?:with|for|and|plus|by)\s+|(?<!about )(?<!between )\b)(?:my|our)\s+"
    rf"{_OF_WHOM}{_KIN}\b{_OCCASION}"
    rf"(?:\s*(?:,|and|&|or)\s+(?:(?:my|our)\s+)?{_OF_WHOM}{_KIN}\b{_OCCASION})*"
    r"(?:\s+(?:said|says?|told (?:me|us)|tells me|thinks?|suggested|insists?|mentioned|keeps? (?:saying|telling me)"
    r"|asked(?: me)?)\b(?:\s+that\b)?)?",
    r"\b(?:with|for)\s+(?:mum|mom|dad|grandma|grandpa|granny|nan)(?:\s+and\s+(?:mum|mom|dad|grandma|grandpa))?\b"
    + _OCCASION,
    r"\b(?:for|on|it['’]?s|it is)\s+(?:my|our|his|her|their|a|the)\s+(?:\w+\s+)?birthday(?: (?:party|dinner|lunch))?\b",
    # company at table or before the screen
    rf"(?<!\w)(?:{_OUTING}\s+(?:out\s+)?|[,.;!?]\s*|^\s*)(?P<company>with\s+{_OTHERS})",
    rf"\bfor\s+{_OTHERS}",
    r"\bfor\s+(?:an?|the)\s+(?:\w+\s+)?group(?P<members>\s+of\s+(?:\w+\s+)?(?:friends|colleagues|people"
    r"|mates|us|co-?workers))\b",
    r"\b(?:we['’]?re|we are|there (?:are|will be)|it['’]s)\s+(?:just\s+|only\s+)?"
    rf"(?:{_SMALL_COUNT}|five|six|seven|eight|nine|ten|eleven|twelve|\d+)(?:\s+of us)?\b(?!\s+(?:\w+\s+)?fans\b)",
    rf"\bfor\s+(?:{_SMALL_COUNT}\s+(?:people|persons|of us|adults)|myself|the (?:two|three|four) of us)\b",
    # courtesy and hesitation
    r"\b(?:so sorry|sorry(?: about that)?|my bad|my apologies|apologies|pretty please|please|thanks(?: a lot| so much"
    r"| again| anyway)?|thank you(?: so much| very much)?"
    r"|cheers(?!\s+(?:me|us|you|her|him|them|people|everyone|everybody|my|our)\b)|many thanks|much appreciated)"
    r"\b(?!\s+for\s+your)",
    r"\b(?:hmm+|hm+|um+|uh+|er+m*|ah+|oops|whoops|lol|haha+|i guess|i suppose"
    r"|i (?:don['’]t|do not) know"
    r"|you know(?! (?:of|any))|i mean|i think|i reckon"
    r"|to be honest|tbh|honestly|by the way|btw|no worries|fair enough|after all"
    r"|come to think of it|on second thoughts?|if you don['’]t mind"
    r"|if that['’]s (?:ok|okay|alright|possible)|if you (?:can|could))\b",
    r"^\W*(?:(?:ok(?:ay)?|oh|ah|great|nice|cool|perfect|alright|right|got it|sure|good|fine|awesome|lovely|thanks)"
    r"[\s,.!]*)+$",
    # who somebody of an age is, and who it is for: "a 12 year old nephew", "for a nephew of mine"
    rf"(?:\b\d{{1,2}}|\b[a-z]+)[\s-]years?[\s-]old\s+(?P<kin>{_PERSON}(?: of (?:mine|ours))?\b)",
    rf"\b(?:(?:with|for|and)\s+)?(?:my|our)\s+{_GROWN_UP}[\s-]years?[\s-]old\b(?:\s+{_OF_WHOM}{_KIN}\b{_OCCASION})?",
    rf"\bfor\s+an?\s+{_GROWN_UP}[\s-]years?[\s-]old\b(?:\s+{_OF_WHOM}{_KIN}\b)?",
    rf"\bfor\s+(?:an?|the|his|her|their|some|one of my)\s+{_OF_WHOM}{_PERSON}(?: of (?:mine|ours))?\b",
    # boredom that is denied, or of nothing in particular
    r"\b(?:that |which )?(?:(?:do|does|did|wo|will)(?:n['’]?t| not)|never|not(?:hing that)?"
    r"|nothing to) (?:bores?|annoys?"
    r"|depress(?:es)?|upsets?|puts?) (?:me|us|him|her|them|my \w+)\b(?: to sleep)?",
    r"\b(?:gets?|got|getting|be|am|is|are|was|were|['’]m|['’]re)\s+(?:(?:so|too|very|easily|quickly|really)\s+)*bored\b"
    r"(?! (?:by|with|of|during|in|at)\b)",
    r"\bnothing (?:scares|frightens|shocks|bothers|offends|bores|annoys) (?:me|us|him|her|them)\b"
    r"|\bcan(?:['’]?t| ?not) (?:put (?:it |this )?down|take (?:my|your|our|his|her|their) eyes off(?: (?:it"
    r"|the (?:screen|page)))?)",
    r"\b(?:i|we) can (?:also )?(?:live with|handle|tolerate|stand)\b",
    # that somebody likes what follows or came before, and how much
    r"\b(?:i|we)(?: also| really)? (?:have|had|['’]ve(?: got)?) (?:an?|some) "
    r"(?:(?:particular|strong|special|deep|real|great|huge|genuine|certain) )*"
    r"(?:interest|appreciation|fondness|fascination|preference|passion|liking|penchant|weakness|admiration|soft spot)"
    r" (?:in|for|with|of)\b",
    r"\b(?:(?:which|that) )?(?:adds? to|enhances?|deepens?) (?:my|our) (?:\w+ )?(?:enjoyment|experience)\b"
    r"(?: of\b)?",
    r"\b(?:(?:particularly|really|deeply|especially) )?(?:captivates?|fascinates?|interests?|intrigues?|engages?"
    r"|(?:appeals?|speaks?) to|resonates? with) (?:me|us)\b(?: (?:particularly|deeply|most))?",
    # talk to the system and about the talk
    r"\bundo\b(?:\s+(?:that|it|this|the last \w+|my last \w+))?|\btake (?:that|it) back\b|\bgo back(?: one)?\b",
    r"\b(?:let['’]?s|let us|can we|could we|shall we|i want to|i['’]d like to)\s+(?:just\s+)?(?:talk|chat|speak)"
    r"(?:\s+about|\s+of)?\b|\b(?:talking|speaking) of\b",
    r"\bwhat (?:else )?(?:can|could) you do\b|\b(?:new|different|another) (?:topic|question|subject)\b",
    # what has happened in the teller's life: "after my father's death", "my dog died last week", "during our move"
    r"\b(?:ever since|after|since|before|following|during|in the wake of)\s+(?:my|our)\s+(?!own\b)"
    rf"(?![^,.;:!?]*\b(?:{_ASKS_OF_ITEMS}))[^,.;:!?]{{2,45}}?(?=\s*(?:[,.;:!?]|$"
    r"|\b(?:i|we|please|recommend|suggest|something|anything|give|what)\b))",
    r"\b(?:my|our|his|her|their)\s+(?:[\w'’-]+\s+){1,2}?(?:(?:has|have|had|is|are|was|were|just|recently|sadly"
    r"|finally)\s+)*"
    r"(?:died|dying|passed away|fell ill|ill|sick|in hospital|ended|fell apart|fell through|left (?:me|us)"
    r"|dumped me|fired me|put down|cancelled)\b[^,.;:!?]*?(?=\s*(?:[,.;:!?]|$|\b(?:and|so|but|because)\b))",
    # how somebody is and takes things
    r"(?:^|(?<=[.,;!?]\s)|(?<=\band\s)|(?<=\bbut\s)|(?<=\bas\s)|(?<=\bbecause\s)|(?<=\bsince\s))"
    r"(?:mum|mom|dad|grandma|grandpa|granny|nan|gran|hubby)\b(?=(?:['’]s)?\s+(?:is|has|can|hates?|loves?|likes?"
    r"|wants?|does"
    r"|needs|won['’]?t|never|always|deaf|old|visiting))",
    rf"\b(?:(?:my|our)\s+)?(?:{_OF_WHOM}{_KIN}|i|we|he|she|they)(?:\s+(?:is|am|are)|['’](?:s|m|re))\s+"
    r"(?:(?:a bit|quite|nearly|very|really|so|almost|totally|partly|half|getting)\s+)*(?:deaf|hard of hearing"
    r"|frail|elderly"
    r"|teetotal|sober|tired|exhausted|knackered|poorly|unwell|stressed|jet-?lagged|hungover)\b",
    r"\b(?:(?:i|he|she|they|we|my \w+)\s+)?(?:still\s+)?(?:had|have|has|get|gets|got|gave me)\s+(?:bad "
    r"|terrible |awful )?"
    r"nightmares\s+(?:from|after|about|because of|over)\b",
    r"\b(?:she|he|i|they|(?:my|our) \w+)\s+(?:(?:always|really|just|usually)\s+)*(?:(?:cry|cries|scares?|laughs?)"
    r"|gets?\s+(?:scared|upset|bored|emotional))\s+(?:at|over|about)?\s*(?:everything|anything|nothing|easily"
    r"|a lot|at all)\b",
    r"\b(?:i|we|she|he|they|(?:my|our) \w+)(?:['’](?:m|re|s))?\s+(?:am |is |are |was |been )?(?:feel|feels"
    r"|feeling|felt)"
    r"\s+(?:(?:really|so|very|a bit|pretty|quite|rather|kinda|kind of)\s+)*(?:low|down|blue|rubbish|awful"
    r"|terrible|lousy"
    r"|crap|bad|miserable|rotten|fed up|poorly|rough|lonely|flat)\b",
    r"\b(?:think|thinks|find|finds|say|says|complain|complains)\s+(?:that\s+)?(?:everything|it all"
    r"|all (?:of )?(?:films|movies"
    r"|books|of them))\s+(?:is\s+|are\s+)?(?:so\s+|too\s+)?(?:boring|dull|lame|stupid|rubbish|for babies|childish)\b",
    r"(?:^|(?<=[.,;!?]\s)|(?<=[.,;!?]))\s*(?:no,?\s+)?wait\b,?(?=\s+(?:an?|i|we|actually|some|it|that|maybe"
    r"|make|let|the"
    r"|no|what)\b)",
    # what an age has said already
    r"\b(?:so\s+)?(?:nothing|not(?:hing)? too)\s+(?:unsuitable|inappropriate)\s+for\s+"
    r"(?:her|him|them|(?:that|this|her|his|their)\s+age)\b",
    # the teller's age and time
    r"\(?\b(?:i['’]m|i am)\s+(?:about\s+|almost\s+|nearly\s+|only\s+)?(?:\d{1,2}|\w+ty(?:-\w+)?)\b"
    r"(?!\s+(?:per|minutes))(?:\s+years?(?:\s+old)?)?\)?",
    r"\b(?:(?:not|no|nothing|isn['’]t|is not)\s+)?(?:much\s+)?(?:older|younger|newer)\s+than\s+(?:me|i am|myself|i)\b",
    r"\b(?:for|on)\s+(?:an?|this|the|these|those)\s+(?:rainy|wet|cold|hot|sunny|snowy|gr[ea]y|stormy"
    r"|lazy|long|free|busy)\s+"
    rf"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|autumn|winter|summer|spring"
    rf"|{_UNIT_OF_TIME})(?:\s+(?:morning|afternoon|evening|night|day|weekend)s?\b)?",
    rf"\b(?:the other|the next|every other)\s+{_UNIT_OF_TIME}\b|\bthe (?:night|day) before\b"
    r"|\b(?:last|this|next)\s+(?:week|weekend|month|year|night|summer|winter|autumn|spring)\b",
    rf"\b(?:for|over|in|after|during|these|the)\s+(?:the\s+)?(?:last|past)\s+(?:{_COUNT}\s+)?{_UNIT_OF_TIME}\b",
    rf"\b{_COUNT}\s+{_UNIT_OF_TIME}\s+(?:off|ago|in a row|straight|from now|on end)\b"
    r"|\b(?:these days|those days|at the moment|right now|all (?:day|week|evening|weekend))\b",
)
_ASIDE = tuple(re.compile(pattern, re.IGNORECASE | re.MULTILINE) for pattern in _PATTERNS)
_KIN_OF_SOME_KIND = re.compile(rf"\b(?:my|our)\s+(?:[\w'’-]+\s+){{1,2}}(?P<kin>{_KIN})\b", re.IGNORECASE)
_ITS_OWN = re.compile(r"\b(?:anniversar|teen|kid|child|toddler)", re.IGNORECASE)


class Told(IntEnum):
    """How surely the words around a phrase tell about the teller: `LIFE` makes none of it a wish, `STORY` only what
    names something that people ask for."""

    NOT = 0
    STORY = 1
    LIFE = 2


def asides(text: str, english: frozenset[str] = frozenset()) -> list[Span]:
    """The stretches of a text that say nothing of the item, in order, without overlap. `english` are words that are
    right as they are."""
    found: list[Span] = []
    for pattern in _ASIDE:
        for match in pattern.finditer(text):
            group = next((name for name in ("company", "members", "kin") if match.groupdict().get(name)), None)
            span = match.span(group) if group else match.span()
            found.append(_before_its_own(text, span))
    found += system_talk(text, english)
    found += [match.span("kin") for match in _KIN_OF_SOME_KIND.finditer(text)]
    merged: list[Span] = []
    for start, end in sorted(span for span in found if span[0] < span[1]):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _before_its_own(text: str, span: Span) -> Span:
    """The span up to words that can be judged ("my parents' anniversary" is an occasion of its own)."""
    own = _ITS_OWN.search(text, *span)
    return (span[0], own.start()) if own else span


_LIFE = either(
    "argue|arrive|book|break|buy|call|celebrate|clean|come|commute|cook|divorce|drive|fall|fight|fly|go"
    "|graduate|live|lose|marry|meet|move|pay|quit|retire|return|sit|sleep|spend|stay|study|talk|teach"
    "|travel|wake|walk|work"
)
_WHEN = either("afternoon|day|evening|month|morning|night|week|weekend|year|yesterday")
_LIFE_NOW = either("commute|move|sleep|study|teach|travel|work")
_HELPERS_OF_THE_PAST = either("have|had|'ve|has|was|were|did")
_WISHING = either(
    "adore|allow|appreciate|avoid|bear|bother|care|crave|dislike|drink|eat|enjoy|expect|fancy|feel|find"
    "|hate|hope|hurt|like|long|look|love|mind|need|prefer|recommend|require|search|seek|stand|suggest"
    "|think|want|wish|wonder"
)
_INCLINED = either(
    "allergic|buff|celiac|coeliac|curious|drawn|fan|fans|fond|game|happy|interested|into|intolerant|keen"
    "|lover|mood|nut|open|partial|reader|ready|sucker|up|vegan|vegetarian|watcher"
)


# Where a wish begins behind what is told of a life: "I lost my job, so something warm"
_ASKS_AFTER = re.compile(
    r"(?:[,;:–—-]|\b(?:so|and|but))\s+(?:(?:now|maybe|perhaps|please|so|and|but)\s+)*(?:something|anything|some"
    r"|any|a|an)\b",
    re.IGNORECASE,
)


_BREAKS = re.compile(r"[,;:]|\b(?:so|but)\b", re.IGNORECASE)


def told_of_teller(doc: "Doc", tokens: Sequence[int]) -> Told:
    """Whether a phrase stands in a clause in which "I", "we" or somebody of theirs does something."""
    if not tokens:
        return Told.NOT
    token = doc[tokens[-1]]
    for verb in (token, *token.ancestors):
        if verb.pos_ not in ("VERB", "AUX"):
            continue
        subject = next((child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass")), None)
        if subject is None:
            if verb.lemma_.lower() in _WISHING:  # "I broke up with him and want a comedy"
                return Told.NOT
            continue
        if _ASKS_AFTER.search(doc[verb.i : token.i].text):
            return Told.NOT
        told = _told_by(verb, subject, token) if _is_teller(subject) else Told.NOT
        # "I'm teetotal so no pubs, Italian": what comes after a break may be a wish all the same
        broken = told is Told.LIFE and _BREAKS.search(doc[verb.i : token.i].text)
        return Told.STORY if broken else told
    return Told.NOT


def _is_teller(subject: "Token") -> bool:
    if subject.lower_ in ("i", "we"):
        return True
    owned = any(child.lower_ in ("my", "our") for child in subject.children)
    return owned and bool(re.fullmatch(_KIN, subject.lower_))


def _told_by(verb: "Token", subject: "Token", token: "Token") -> Told:
    helpers = {child.lower_ for child in verb.children if child.dep_ in ("aux", "auxpass")}
    if helpers & {"would", "could", "can", "should", "'d", "will", "'ll", "may", "might", "must", "ca"}:
        return Told.NOT
    lemma = verb.lemma_.lower()
    if lemma == "be":
        said = {part.lower_ for part in verb.subtree if part.i > verb.i}
        complement = any(part.dep_ in ("attr", "acomp") and part.head == verb for part in (token, *token.ancestors))
        return Told.LIFE if complement and not said & _INCLINED else Told.NOT
    if lemma in _WISHING:
        return Told.NOT
    when = {child.lemma_.lower() for child in verb.children if child.dep_ == "npadvmod"}
    past = bool(when & _WHEN) or verb.tag_ in ("VBD", "VBN") or bool(helpers & _HELPERS_OF_THE_PAST)
    past = past or (verb.tag_ == "VBG" and bool(helpers & {"am", "are", "'m", "'re", "been"}))
    if past:
        return Told.LIFE if lemma in _LIFE else Told.STORY
    return Told.LIFE if lemma in _LIFE_NOW else Told.NOT
