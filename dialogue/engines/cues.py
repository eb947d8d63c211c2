"""The cue rules by which the built-in engine reads intents (METHOD 9.2, 12). Pure; several intents may hold, or none.

An utterance is cut into parts, mostly clauses, and each part is read for what it does. A part that only answers what
was shown ("sounds great, thanks") carries no wish; a part may do both ("not a fan of musicals").
"""

import re
from dataclasses import dataclass, field
from enum import StrEnum

from dialogue.spans import Span, clauses, sentences


class Act(StrEnum):
    """What a part of an utterance does."""

    WISH = "wish"
    QUESTION = "question"
    ACCEPT = "accept"
    REJECT = "reject"
    OBJECT = "object"
    SEEN = "seen"
    CONTINUE = "continue"
    START_OVER = "start_over"
    FORGET = "forget"
    INDIFFERENT = "indifferent"
    COURTESY = "courtesy"


@dataclass(frozen=True, kw_only=True)
class Part:
    """One part of an utterance and what it does. `focus` is the span that matters of it: the words of an objection,
    what a question asks for, what is to be forgotten; empty where there is none."""

    span: Span
    acts: frozenset[Act]
    focus: Span = field(default=(0, 0))


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_PRAISE = (
    r"good|great|perfect|interesting|fun|funny|nice|lovely|amazing|awesome|excellent|delicious|fantastic|wonderful|cool"
    r"|right|promising|tempting|ideal|brilliant|neat|fine|yummy|tasty|appealing|intriguing|exciting|like (?:a|an|my|something|fun)"
)
_PLAN = r"(?:i|we)(?:['’]ll| will| would| am going to| are going to|['’]m going to|['’]re going to|['’]m gonna|['’]d)|let['’]s|let us|gonna"
_DOWN = r"(?:really |actually |just |particularly |exactly |quite |that |all |at |so |very |too |feeling )*"

ACCEPT = _any(
    rf"\b(?:{_PLAN}) (?:\w+ ){{0,2}}(?:take|go with|go for|go there|go to|try|watch|read|check|book|choose|pick|add|give|order|visit"
    r"|eat|look into|look (?:it|that|them|this|those) up|look for (?:it|that|them)|see (?:it|that|this|them|both|the)|have (?:it|that|the)"
    r"|put (?:it|that|them)|keep (?:it|that)|consider|rent|buy|stream|download|find (?:it|that)|do that|be there|enjoy)\b",
    rf"\b(?:sounds?|looks?|seems?|sounded|looked) {_DOWN}(?:{_PRAISE})\b",
    rf"\b(?:is|are|was|['’]s|that's|be) (?:just |exactly |really |absolutely |a |an |the )*(?:perfect|what i (?:want|need|was)|great (?:choice|pick|idea|suggestion|option)"
    r"|good (?:choice|pick|idea|suggestion|option|call)|the one|ideal)\b",
    r"^(?:perfect|excellent|wonderful|brilliant|fantastic|deal|sold|awesome|amazing|lovely|done|agreed|splendid|bingo)\b",
    r"\b(?:great|good|excellent|nice|perfect|lovely|wonderful|solid) (?:choices?|picks?|calls?|ideas?|suggestions?|recommendations?|options?|finds?)\b",
    r"\b(?:that|this|it|which)(?:['’]ll| will)? (?:works?|do(?: nicely| it)?|fits?(?: the bill)?|suits? (?:me|us))\b(?! not)",
    r"\bworks for (?:me|us)\b|\bcount (?:me|us) in\b|\b(?:i['’]m|we['’]re|i am) (?:in|sold|convinced|game|on board)\b|\bsign me up\b",
    r"\badd(?:ing|ed)? (?:it|that|this|them|those|both|one|the \w+)\b|\b(?:on|to) my (?:watch|reading|to-?read|to-?do)?\s?-?list\b",
    r"\b(?:i['’]d|i would|we['’]d|i) (?:love|like|want|be happy) to (?:see|try|watch|check|read|eat|visit|go|give) (?:it|that|this|them|there|those|the (?:first|second|third|last))?\b(?! (?:a|an|some|something|more|other)\b)",
    r"\bi(?:['’]ve| have)? (?:also )?(?:heard|read) (?:only |really |very |such |many |a lot of |lots of )*(?:good|great|amazing|wonderful|nice) (?:things|reviews)\b",
    r"\bi (?:really |do |quite |totally )?(?:like|love) (?:it|that|this|them|these|those|the sound of|the look of)(?: (?:one|idea|option|place|choice))?\b(?! (?:when|if|more|less|was|to)\b)",
    r"\b(?:must|need to|have to|should|might|may|will definitely|definitely) (?:check|try|watch|see|read|give) (?:it|that|this|them|those|both)\b",
    r"\bcan['’]?t (?:say no|go wrong|wait)\b|\bwhy not\b[.!]?$|\bgo(?:ing)? (?:with|for) (?:it|that|this|the|both)\b|\bmade up my mind\b",
    r"[👍👌❤♥💯✅✔😍🥰😋]",
)
YES = re.compile(
    r"(?:(?:oh|ok|okay|k|yes|yeah|yep|yup|ya|sure|alright|all right|fine|definitely|absolutely|of course|cool|great|nice"
    r"|good|awesome|thanks?(?: you)?(?: (?:so|very) much)?|thx|ty|cheers|then|sir|please)[\s,.!]*)+",
    re.IGNORECASE,
)
_ASSENT = re.compile(r"\b(?:ok|okay|yes|yeah|yep|yup|sure|fine|definitely|absolutely|cool|great|awesome|alright)\b", re.IGNORECASE)

_NO = r"no|nah|nope|nay|naw|uh-uh|hard pass|pass|neither|none"
REJECT = _any(
    rf"^(?:oh |hmm+,? |um+,? |well,? |ok,? |sorry,? |unfortunately,? )*(?:{_NO})(?:\b[,.!;\s]*(?:thanks|thank you|sorry|way|chance|sir|not (?:really|that)|i (?:do|did|would|am|have|need|want|don|didn|prefer)\b)|\s*[,.!;]|\s*$|\s+(?:of|to)\b)",
    r"\bnot (?:really |quite |exactly |so |too |that |very |particularly |even )*(?:interested|into|in the mood|a (?:big |huge )?fan|keen|convinced|sure about|my|for (?:me|us|him|her|them)|what (?:i|we)"
    r"|feeling|appealing|good|great|that one|this one|these|those|it\b|the (?:first|second|third|last)|suitable|right|impressed|looking for (?:that|this|it))",
    r"\b(?:do|did|does|can|could|would|wo|wouldn|couldn|don|didn|doesn|won|ca)(?:n['’]?t|['’]?t| not) (?:think i\S* )?(?:really |even |actually |much |quite |particularly )*(?:like|enjoy|care for|love|want|stand|get into|fancy|appeal|interest|suit|work|sound (?:good|great|like)|look (?:good|great|like)|seem (?:good|like)|impress|bear|feel like|do it)\b",
    r"\bnever (?:really |could |been able to )*(?:liked?|enjoyed?|cared for|been (?:a fan|into)|get into|got into|a fan)\b|\bcould never\b",
    r"\b(?:i|we) (?:really |absolutely |kind of |kinda |just )?(?:hated?|dislike[ds]?|loathed?|despised?)\b",
    r"\b(?:it|that|this|they|those|which|movie|film|place|one|s)(?:['’]s| is| was| were| looks?| sounds?| seems?| are)? (?:\w+ ){0,2}(?:awful|terrible|boring|horrible|bad|worst|dull|overrated|cheesy|lame|disappointing|stupid|dumb|weird|silly)\b",
    r"\b(?:awful|terrible|horrible|overrated|disappointing) (?:place|film|movie|book|show|service|experience|food|choice|suggestion)\b",
    r"\bnone of (?:these|those|them|the)\b|\bneither\b|\brather not\b|\bi['’]?ll pass\b|\b(?:hard )?pass on\b|\bskip (?:it|that|this|the)\b|\bno good\b"
    r"|\b(?:doesn|don|didn|isn|aren|wasn)['’]?t (?:really )?(?:work|fit|match|appeal|good|great|right|what|my|for me|interest|do it)\b",
    r"\b(?:remove|reject|ditch|scrap|get rid of|rule out|forget) (?:it|that|this|them|those|both|the (?:first|second|third|fourth|fifth|last))\b",
    r"\b(?:rejected|out of the question|off the table|not going (?:there|to happen)|won['’]t be going|would(?:n['’]t| not) go)\b",
    r"[👎❌✖🙅🤮]",
)
_OBJECTION = re.compile(
    r"\b(?:way |far |a bit |a little |bit |much |probably |maybe |just |rather |kind of |kinda )*"
    r"(?P<too>too\s+(?!bad\b|late\b|too\b)(?:much |many )?[\w'’-]+(?:\s+(?!for\b|and\b|but\b|so\b|to\b|what\b|i\b|something\b|do\b|can\b|please\b|then\b|now\b|there\b)[\w'’-]+){0,2})",
    re.IGNORECASE,
)
_LACKING = re.compile(r"(?:\bnot|n['’]t)\s+(?:\w+\s+)?(?P<lack>[\w'’-]+)\s+enough\b", re.IGNORECASE)
_BEFORE_TOO = re.compile(r"(?:\bnot|\bnothing|n['’]t|\bwithout|\bnever|\bno|\banything|\bnor|\bnot be|n['’]t be)\s+(?:\w+\s+)?$", re.IGNORECASE)

SEEN = _any(
    r"\b(?:i|we)(?:['’]ve| have)? (?:already |just |actually |also )*(?:seen|watched|read|been (?:to|there)|visited|tried|eaten (?:at|there)|finished)\b",
    r"\b(?:i|we) (?:already |just |actually |also )*(?:saw|know|went to)\b (?:it|that|this|them|those|both|all|the)",
    r"^(?:already )?(?:seen|read|watched|been (?:to|there)|tried) (?:it|that|this|them|those|both|all|there)\b",
)
UNSEEN = re.compile(r"\b(?:haven|hasn|have|has)(?:['’]?t| not| never)\b|\bnever (?:seen|watched|read|been|tried|heard)\b", re.IGNORECASE)

CONTINUE = _any(
    r"^(?:(?:ok|okay|yes|and|so|please|great|thanks|cool|nice)[,.!\s]+)*(?:show (?:me )?|give (?:me )?|any |some |see )?(?:more|next|the next(?: ones?)?|continue|go on|keep going|others?|another)(?: (?:one|ones|please|options|suggestions|like (?:this|that|these)))*[.!?\s]*$",
    r"\b(?:what|anything|who|something|somewhere|any(?:one|body)?) else\b|\bany (?:other|more)s?\b(?! questions)",
    r"\b(?:show|give|tell|find|get|suggest|recommend|see|list)(?: me| us)? (?:some |a few |a couple |any |\w+ )?(?:more|others?|another|additional|alternatives?|different ones?)\b",
    r"\b(?:more|other|another|different|additional|further|a few more|one more) (?:options?|suggestions?|recommendations?|ideas?|choices?|alternatives?|ones?)\b",
    r"\b(?:got|have|had) (?:any(?:thing)?|some(?:thing)?|another) (?:more|other|else)\b|\bkeep (?:them|it) coming\b",
)
START_OVER = _any(
    r"\bstart(?:ing)? (?:over|again|afresh|anew|from scratch)\b|\bfrom scratch\b|\breset(?: everything| all| it)?\b|^restart\b|\bbegin again\b",
    r"\b(?:forget|clear|delete|drop|ignore|scrap|erase) (?:everything|it all|all (?:of )?(?:that|this|it|my \w+)|all)\b|\bnew (?:search|request|conversation|topic)\b|\bclean slate\b",
)
FORGET = re.compile(
    r"\b(?:forget(?: about)?|never ?mind|drop|skip|ignore|scrap|remove|leave out|lose)\s+(?:the\s+|my\s+|that\s+|about\s+)*(?P<a>[\w'’ -]{2,60})"
    r"|\b(?:(?:do|does)(?:n['’]t| not)|no longer) (?:really )?(?:care|mind|matter|need|worry)(?: about| if| whether| even if)?\s*(?:the |it(?:['’]s| is) |they (?:have|don['’]t have) |any ?more\b)*(?P<b>[\w'’ -]{0,60})"
    r"|(?P<c>[\w'’ -]{2,60}?)\s+(?:(?:do|does)(?:n['’]t| not) matter|(?:is|are)(?:n['’]t| not| no longer) (?:that |so )?(?:important|necessary|needed|required|a must))(?: any ?more)?"
    r"|\b(?:i['’]m|i am|we['’]re|it['’]s|it is) (?:ok|okay|fine|alright|all right)(?: with it)? (?:even )?(?:if|with|without)\s+(?P<d>[\w'’ -]{2,60})"
    r"|\bno need for\s+(?P<e>[\w'’ -]{2,60})",
    re.IGNORECASE,
)
INDIFFERENT = _any(
    r"^(?:oh |well,? |hmm,? )*(?:any(?:thing|where|one)?(?: goes| works| is fine| will do| at all| you like)?|whatever|wherever|no(?:pe)?|nah|not really|none|no (?:preferences?|idea)|no (?:strong |particular |special )*preferences?)[.!\s]*$",
    r"\b(?:i |we )?(?:do|does)(?:n['’]t| not) (?:really )?(?:mind|care|matter)[.!\s]*$|\b(?:surprise me|you (?:choose|decide|pick)|up to you|no preference|i['’]?m (?:easy|open|flexible))\b",
    r"\banything (?:goes|works|is fine|will do|at all|you like)\b",
)
COURTESY = re.compile(
    r"^(?:(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day|night)|greetings|thanks?(?: you)?|thx|cheers|bye|goodbye|see you|take care"
    r"|have a (?:good|great|nice|lovely) \w+|you too|how are you|what['’]?s up|nice (?:to meet you|talking to you|chatting)|there|again|so much|very much|a lot|for (?:your|the|all)(?: \w+){1,3}|all the best|happy holidays|lol|haha\w*|oh|ok|okay)[\s,.!?]*)+$",
    re.IGNORECASE,
)

_REQUEST = _any(
    r"\b(?:can|could|would|will) (?:you|u|i|we)(?: please| maybe| possibly| perhaps)? (?:recommend|suggest|find|show|give|help|offer|name|pick|think of|get|list|see (?:some|a|more))\b",
    r"\b(?:do|can|would|have) you (?:happen to )?(?:have|know(?: of)?|got|recommend|suggest)\b(?! if\b| whether\b| how\b| what\b| when\b| who\b| where\b)",
    r"\b(?:is|are|isn['’]t|aren['’]t) (?:there|they?re) (?:an?y?|some)(?:thing|where|one|body)?\b(?! (?:parking|wifi|wi-fi|wait|dress|outdoor|music|gore|violence|sex|blood|jump|vegan|vegetarian|queue|bar|terrace|car park|romance|swearing|nudity))",
    r"\b(?:what|how) about (?:something|somewhere|anything|a|an|some|more|other|another)\b|^(?:any(?:thing|where)?|something|somewhere|got any)\b(?! of (?:them|these|those))",
    r"\b(?:what|which)(?: \w+){0,3} (?:would|do|can|could|should|will) (?:you|i|we) (?:recommend|suggest|have|watch|read|eat|go|try|see)\b",
    r"\b(?:what|which) (?:are|is|'s)(?: \w+){0,3} (?:good|best|great) (?:\w+ ){0,3}(?:films?|movies?|books?|anime|restaurants?|places?|shows?|novels?)\b",
    r"\b(?:recommend|suggest)(?:ations?|ions?)?(?: me| us)?\b",
)
_ASKS = _any(
    r"^(?:and |but |so |also |well,? |ok(?:ay)?,? |hmm+,? |oh,? |then |great,? |nice,? |cool,? |sorry,? |yes,? |yeah,? )*(?:who|what|when|where|why|how|which|whose|is|are|was|were|does|do|did|has|have|had|can|could|would|will|should|isn|aren|doesn|don|didn|hasn|haven|any (?:of|idea))\b",
    r"\b(?:tell (?:me|us)|i(?:['’]d| would) (?:like|love|want) to know|i wonder|wondering|do you know|any idea|i want to know|let me know|curious|more (?:details|info|information)|details (?:on|about|of))\b",
)
_POLAR_LEAD = re.compile(
    r"^(?:(?:and|but|so|also|well|ok(?:ay)?|hmm+|oh|then)[,\s]+)*"
    r"(?:do(?:es)?n?['’]?t?|did|has|have|can|could|is|are|was|were|will|would)\s+"
    r"(?:n['’]t\s+)?(?P<subject>.*?)\s*\b(?P<verb>have|has|got|offer|offers|serve|serves|do|provide|include|includes|take|takes|accept|allow|sell|contain|feature|come with|good for|suitable for|near|close to|in|on|with)\b\s+"
    r"(?:any |a |an |some |the |good |decent )*(?P<wish>[^?]+)",
    re.IGNORECASE,
)
_POLAR_STATE = re.compile(
    r"^(?:(?:and|but|so|also|well|ok(?:ay)?|hmm+|oh|then)[,\s]+)*(?:is|are|was|were)(?:n['’]t)?\s+"
    r"(?:it|they|that|this|these|those|(?:(?:that|this|the|either|any|both|all|one)(?: \w+)?(?: of (?:them|these|those))?)|there)\s+"
    r"(?:really |very |actually |quite |all |any |a |an |some |also |the )*(?P<wish>[^?]+)",
    re.IGNORECASE,
)
_FEARED = re.compile(
    r"^(?:too\b|expensive|pricey|loud|noisy|crowded|violent|scary|gory|sad|boring|long|slow|far|busy|cheap|open|closed|"
    r"good\b|any good|bad|worth|like|better|more|less|similar|related|based|about|from|by|the same|on |new|old|one of|\w+er\b)",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"(?:n['’]t|\bnot|\bnever|\bno)\s+(?:\w+\s+){0,3}$", re.IGNORECASE)
_BIND = re.compile(r"[.!?…。！？]+[\"'”’)\]]*$")


def parts_of(text: str, *, shown: bool, asked: bool) -> tuple[Part, ...]:
    """Cut an utterance and read each part. `shown`: a list is on the table; `asked`: the system has just asked."""
    found: list[Part] = []
    for sentence in sentences(text):
        question = _question(text, sentence, shown)
        if question is not None:
            found.append(question)
            continue
        whole = _whole_sentence(text, sentence, shown=shown, asked=asked)
        if whole is not None:
            found.append(whole)
            continue
        found += [_clause(text, clause, shown=shown, asked=asked) for clause in clauses(text, sentence)]
    return tuple(found)


def _question(text: str, sentence: Span, shown: bool) -> Part | None:
    words = text[slice(*sentence)]
    asks = words.rstrip("\"'”’) ").endswith(("?", "？")) or bool(_ASKS.search(words))
    if not asks or CONTINUE.search(words) or START_OVER.search(words):
        return None
    if _REQUEST.search(words) and not re.search(r"\btell (?:me|us) (?:more )?about\b", words, re.IGNORECASE):
        return None
    wh = re.match(r"^(?:and |but |so )?(?:who|what|when|where|why|how|which|whose)\b", words, re.IGNORECASE)
    if not words.rstrip().endswith(("?", "？")) and wh is None and re.match(r"^(?:have|had|do|is|are|can|will|would)\b", words, re.I):
        statement = re.match(r"^(?:have a|had|do not|do n|don)", words, re.IGNORECASE)
        if statement:
            return None
    return Part(span=sentence, acts=frozenset({Act.QUESTION}), focus=_asked_for(text, sentence))


def _asked_for(text: str, sentence: Span) -> Span:
    """What a yes-or-no question asks for as a wish ("parking" in "does the second have parking?")."""
    words = text[slice(*sentence)]
    match = _POLAR_STATE.match(words) or _POLAR_LEAD.match(words)
    if match is None or _FEARED.match(match["wish"]):
        return (0, 0)
    wish = match["wish"].rstrip(" .!?,")
    wish = re.sub(r"\s+(?:there|too|as well|at all|or not|available|please)$", "", wish, flags=re.IGNORECASE)
    start = sentence[0] + match.start("wish")
    return (start, start + len(wish)) if re.search(r"[^\W\d]{3}", wish) and len(wish.split()) <= 6 else (0, 0)


def _whole_sentence(text: str, sentence: Span, *, shown: bool, asked: bool) -> Part | None:
    """Sentences that are one act whatever their clauses look like."""
    words = text[slice(*sentence)]
    if START_OVER.search(words):
        return Part(span=sentence, acts=frozenset({Act.START_OVER}))
    if COURTESY.match(words.strip()) and not _ASSENT.search(words):
        return Part(span=sentence, acts=frozenset({Act.COURTESY}))
    if asked and INDIFFERENT.search(words.strip()):
        return Part(span=sentence, acts=frozenset({Act.INDIFFERENT}), focus=_inner(text, sentence))
    if shown and not asked and YES.fullmatch(words.strip()) and _ASSENT.search(words):
        return Part(span=sentence, acts=frozenset({Act.ACCEPT}))
    return None


def _clause(text: str, clause: Span, *, shown: bool, asked: bool) -> Part:
    words = text[slice(*clause)]
    acts: set[Act] = set()
    focus: Span = (0, 0)
    lacking, too = _LACKING.search(words), _OBJECTION.search(words)
    forget = FORGET.search(words)
    if COURTESY.match(words):
        return Part(span=clause, acts=frozenset({Act.COURTESY}))
    if asked and INDIFFERENT.search(words):
        return Part(span=clause, acts=frozenset({Act.INDIFFERENT}), focus=_inner(text, clause))
    if SEEN.search(words) and not UNSEEN.search(words):
        acts.add(Act.SEEN)
    if REJECT.search(words):
        acts.add(Act.REJECT)
    if lacking and shown:
        acts |= {Act.REJECT, Act.OBJECT}
        focus = (clause[0] + lacking.start("lack"), clause[0] + lacking.end("lack"))
    elif too and shown and not _BEFORE_TOO.search(words[: too.start("too")]):
        acts |= {Act.REJECT, Act.OBJECT}
        focus = (clause[0] + too.start("too"), clause[0] + too.end("too"))
    elif forget and not acts:
        group = next((name for name in "abcde" if (forget[name] or "").strip()), None)
        if group:
            acts.add(Act.FORGET)
            focus = (clause[0] + forget.start(group), clause[0] + forget.end(group))
    if not acts and _positive(ACCEPT, words):
        acts.add(Act.ACCEPT)
    if CONTINUE.search(words):
        acts.add(Act.CONTINUE)
    return Part(span=clause, acts=frozenset(acts or {Act.WISH}), focus=focus)


def _positive(cue: re.Pattern[str], words: str) -> bool:
    return any(not _NEGATED.search(words[: match.start()]) for match in cue.finditer(words))


def _inner(text: str, span: Span) -> Span:
    """The span without the marks that close a sentence."""
    words = _BIND.sub("", text[slice(*span)]).rstrip()
    return span[0], span[0] + len(words)
