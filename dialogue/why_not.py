"""Why an item is not on the list: unknown, excluded, not found, or ranked lower, and what it lacks (METHOD 6.4, 7).

Told from the state, the stored ranking, its labels and quotes. An item that the ranking does not hold is labelled for
the same wishes in one call, on its own passages.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from dialogue import explanation, facts, placing, pointing, titles, wording
from dialogue.domain import Domain
from dialogue.item_answers import Known, from_counter_evidence
from dialogue.labelling import labelled
from dialogue.models import Answer, DialogueState, ItemRef
from dialogue.ports import TurnContext
from dialogue.standings import citable, standings
from pdgf.identity import exclusion_of, name_key
from pdgf.models import Label, PreferenceGraph, RankedItem, Recommendation
from pdgf.retrieval import reference_items
from pdgf.temporal import violates, year_constraint

TOLD = 2  # wishes of each kind that are told
OTHERS_TOLD = 3  # of "the others", those that came nearest
_OTHERWISE_LOWER = frozenset({"why_not.rejected", "why_not.seen", "why_not.year"})  # and what the wishes say beside it

_LEAD = r"^\W*(?:(?:and|but|so|also|well|ok|okay|hmm+|oh|then)\W+)*"
_NOT = r"(?:n['’]?t| not)"
_HERE = (
    r"(?:here|there|(?:on|in|part of|among) (?:the|your|this|that|these|them|those)\b.*|listed|recommended|suggested"
    r"|included|shown|an option|one of (?:them|these|those)|mentioned|up there|in)"
)
_SHOW = (
    r"(?:recommend|suggest|show|list|include|pick|name|mention|choose|give|offer|consider|have|put)(?:ed|d|n|ing)?"
    r"(?: (?:me|us))?"
)
_PATTERNS = tuple(
    re.compile(rf"{_LEAD}{pattern}\s*[.!?]*$", re.IGNORECASE)
    for pattern in (
        rf"(?:why|how come) (?:(?:did|do|have|would|are)n['’]?t you|(?:did|do|have|would|are) you not"
        rf"|you (?:did|do|have|would|are)(?:n['’]?t| not)) {_SHOW} (?P<x>\S.*?)(?: {_HERE})?",
        rf"(?:why|how come) (?:is|are|was|were){_NOT} (?P<x>\S.*?) {_HERE}",
        rf"(?:why|how come) (?:is|are|was|were) (?P<x>\S.*?) not {_HERE}",
        rf"(?:why|how come) (?P<x>\S.*?) (?:is|are|was|were){_NOT} {_HERE}",
        r"(?:why|how come) (?:is|are|was|were|has|have) (?P<x>\S.*?) (?:been )?(?:left out|missing|excluded|ruled out)",
        r"(?:why|how come) (?:is there |are there )?no (?P<x>\S.*?)",
        r"what (?:is|was|['’]s) wrong with (?P<x>\S.*?)",
        r"what['’]s wrong with (?P<x>\S.*?)",
        r"(?:why|how come) not (?:show me |recommend |suggest |include |list |pick )?(?P<x>\S.*?)",
    )
)
_NO_TITLE = re.compile(
    r"(?:(?:a|an|some|something|somewhere|anything|any|more|another|other|one|just|both|all|let|try|take|go|watch|read|start)"
    r"\b(?!$)|(?:a|an|any|more|others?|another|both|all|now|then|today|tonight)$)",
    re.IGNORECASE,
)
_KIND = re.compile(
    rf"{_LEAD}why (?:not|don['’]?t (?:we|you)) (?:show me |recommend |suggest )?"
    r"(?P<x>(?:a|an|some|something|somewhere|anything) .*?)\s*[.!?]*$",
    re.IGNORECASE,
)
OTHERS = re.compile(r"(?:any of )?(?:all )?the (?:others|rest|remaining ones|other (?:ones|\w+s))")  # of no title
_QUOTES = "\"'“”‘’«»《》"


def title_asked(question: str) -> str | None:
    """The words for what a question misses on the list ("why not Inception?"); None for any other question."""
    for pattern in _PATTERNS:
        match = pattern.match(question.strip())
        if match and (words := match["x"].strip().strip(_QUOTES)):
            return None if _NO_TITLE.match(words) and words[:1].islower() else words
    return None


def kind_asked(question: str) -> str | None:
    """The words for a kind of item in "why not something shorter?", which asks for it rather than for reasons."""
    match = _KIND.match(question.strip())
    return match["x"] if match else None


def others(known: Known) -> tuple[ItemRef, ...]:
    """The first of those that were ranked and are not on the list, as the ranking has them."""
    listed = {item.id for item in known.shown}
    ranked = (found.candidate for found in (known.ranking.items if known.ranking else ()))
    rest = (ItemRef(id=each.id, title=each.title, year=each.year) for each in ranked if each.id not in listed)
    return tuple(islice(rest, OTHERS_TOLD))


def unknown(question: str, title: str, domain: Domain) -> Answer:
    """That nothing is known of what was named."""
    text = wording.say("answer.not_known", title=title, items=domain.items_word)
    return Answer(item=ItemRef(id="", title=title), question=question, text=text)


async def answer(
    question: str, item: ItemRef, state: DialogueState, seen: Sequence[ItemRef], known: Known, context: TurnContext
) -> Answer:
    """Why an item that is known is not on the list, or at which place it is; first which one is meant, where the words
    name it only nearly."""
    found = await _answer(question, item, state, seen, known, context)
    words = title_asked(known.said.get(question, question)) or title_asked(question) or ""
    entry = next((each for each in context.catalogue.items() if each.id == item.id), None)
    if entry is None or OTHERS.fullmatch(words) or pointing.only_points(words) or not titles.nearly(words, entry):
        return found
    taken = wording.say("why_not.taken_for", words=words, title=item.title)
    return found.model_copy(update={"text": wording.told([taken, found.text])})


async def _answer(
    question: str, item: ItemRef, state: DialogueState, seen: Sequence[ItemRef], known: Known, context: TurnContext
) -> Answer:
    ranking = known.ranking
    said: list[str] = []
    places = [each.id for each in known.shown]
    if ranking is not None and (reason := _excluded(item, state, seen, ranking, context)):
        key, sentence = reason
        ranked = await _as_ranked(item, ranking, known, context) if key in _OTHERWISE_LOWER else None
        return _compared(question, item, ranked, [sentence], known, context.domain, excluded=True)
    if item.id in places:
        said.append(wording.say("why_not.listed", title=item.title, place=places.index(item.id) + 1))
    elif ranking is None:
        said.append(wording.say("why_not.no_ranking", title=item.title))
    if ranking is None:
        return Answer(item=item, question=question, text=wording.told(said), known=True)
    ranked = placing.ranked(item, ranking)
    if ranked is not None and facts.asks_for_downsides(question):
        weak = from_counter_evidence(question, item, ranking, context.domain)
        if weak is not None:
            return weak.model_copy(update={"text": wording.say("answer.line", title=item.title, text=weak.text)})
    if item.id in places and ranked is not None:
        graph = citable(ranking.graph, context.domain)
        reasons = explanation.reasons(ranked, graph)
        text = wording.told([*said, *reasons.sentences])
        return Answer(item=item, question=question, text=text, known=True, quotes=reasons.sources)
    if ranked is not None and any(each.id == item.id for each in state.recommended_items):
        said.append(wording.say("why_not.shown", title=item.title, place=placing.place_of(ranked, ranking)))
    elif ranked is not None:
        place, count = placing.place_of(ranked, ranking), len(ranking.items)
        said.append(wording.say("why_not.ranked", title=item.title, place=place, count=count))
    else:
        said.append(wording.say("why_not.not_ranked", title=item.title))
        ranked = await _as_ranked(item, ranking, known, context)
    return _compared(question, item, ranked, said, known, context.domain)


async def _as_ranked(item: ItemRef, ranking: Recommendation, known: Known, context: TurnContext) -> RankedItem | None:
    """The item as the ranking holds it, or would hold it; None where nothing is known of it."""
    held = placing.ranked(item, ranking)
    return held or (await labelled([item], ranking.graph, known.schema, context)).get(item.id)


def _excluded(
    item: ItemRef, state: DialogueState, seen: Sequence[ItemRef], ranking: Recommendation, context: TurnContext
) -> tuple[str, str] | None:
    """The sentence for an item that was kept out of the ranking, behind its key: judged, known, an example, not of the
    years."""
    judged = (
        ("why_not.rejected", state.rejected_items),
        ("why_not.accepted", state.accepted_items),
        ("why_not.seen", seen),
    )
    for key, items in judged:
        if any(each.id == item.id or (not each.id and _same(each, item)) for each in items):
            return key, wording.say(key, title=item.title)
    if exclusion_of(item.title, item.year, context.seen_list):
        return "why_not.seen", wording.say("why_not.seen", title=item.title)
    if exclusion_of(item.title, item.year, reference_items(ranking.graph)):
        return "why_not.reference", wording.say("why_not.reference", title=item.title)
    graph, config = ranking.graph, context.config
    titles = tuple(atom.text for atom in graph.atoms if atom.kind.value != "criterion")
    rule = year_constraint(graph.narrative, mode=config.year_rule, current_year=context.current_year, titles=titles)
    if rule is not None and violates(rule, item.year):
        words = graph.narrative[slice(*rule.span)]
        return "why_not.year", wording.say("why_not.year", title=item.title, year=item.year, words=words)
    return None


def _same(seen: ItemRef, item: ItemRef) -> bool:
    return name_key(seen.title) == name_key(item.title) and seen.year in (None, item.year)


def _compared(
    question: str,
    item: ItemRef,
    ranked: RankedItem | None,
    said: list[str],
    known: Known,
    domain: Domain,
    *,
    excluded: bool = False,
) -> Answer:
    """What an item lacks against those that are shown, and what speaks against it; of one that was `excluded`, beside
    the reason for that."""
    ranking = known.ranking
    others = [found for each in known.shown if (found := placing.ranked(each, ranking)) is not None]
    if ranked is None or ranking is None:
        return Answer(item=item, question=question, text=wording.told(said), known=True)
    graph = citable(ranking.graph, domain)
    if ranked.demoted is not None:
        said.append(wording.say("why_not.demoted", reason=wording.reason(ranked.demoted)))
    own = standings(ranked, graph)
    told = ranked.demoted or ""
    against = [s for s in own if s.label is Label.CONTRADICTS and not any(quote in told for quote in s.quotes)][:TOLD]
    if against:
        said.append(wording.say("why_not.against", parts=placing.quoted_parts(against)))
    partly = [s for s in own if s.label is Label.PARTIAL and _met_by(s.wish, others, graph)][:TOLD]
    if partly:
        said.append(wording.say("why_not.partly", parts=placing.quoted_parts(partly)))
    sources = [*placing.sources_of(ranked, (*against, *partly))]
    silent = [s for s in own if s.label is Label.NOT_ADDRESSED and _met_by(s.wish, others, graph)][:TOLD]
    if silent:
        parts = wording.listed([wording.say("explain.named", wish=s.wish) for s in silent], last="or")
        having = [other.candidate.title for other in others if all(_met_by(s.wish, [other], graph) for s in silent)]
        titles = wording.titles(having or [other.candidate.title for other in others])
        said.append(wording.say("why_not.silent", parts=parts, titles=titles))
    if len(said) == 1 and not excluded:
        said.append(wording.say("why_not.close"))
    return Answer(
        item=item, question=question, text=wording.told(said), known=True, quotes=tuple(dict.fromkeys(sources))
    )


def _met_by(wish: str, items: Iterable[RankedItem], graph: PreferenceGraph) -> bool:
    """Whether any of the items meets a wish."""
    found = (standing for item in items for standing in standings(item, graph))
    return any(standing.wish == wish and standing.label is Label.SUPPORT for standing in found)
