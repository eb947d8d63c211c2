"""Of which kind the items of a page are, by what the text around them says (METHOD 6.1: unambiguous identification).

A page about films and books names both alike. What says of which kind an item is, nearest first: the words before
and after its name and in its brackets, the labels and the first words under it, the columns of its table, what is said
where it is named again, the heading or the line over its list. Text that is silent about the kind keeps the item.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pdgf.engines.builtin.candidate_cues import cue, words
from pdgf.engines.builtin.candidate_lines import Line
from pdgf.engines.builtin.candidate_media import Media, Said, adaptation, folded, media_of
from pdgf.engines.builtin.candidate_mentions import Mention, Mentions, ends_with
from pdgf.engines.builtin.candidate_shapes import has_cjk, person_like

_MAKERS = {
    "screen": frozenset({"film", "live", "series", "anime"}),
    "print": frozenset({"book", "comic"}),
    "music": frozenset({"music"}),
    "game": frozenset({"game"}),
}
_LEAD = 60  # characters before a name in which its kind may stand
_TAIL = 120  # characters after it
_UNDER = 4  # lines under a heading in which labels of its item may stand
_LONGEST_HEADING = 110
_OPENING = " “\"'‘„«《『〈「*_([:："
_CALLED = re.compile(r"(?:,?\s(?:such as|including|called|titled|entitled|named))$")
_PARTED = re.compile(
    r"\s?(?P<mark>,|[–—-]|:|;|is|was|which is|which was)?\s{1,2}(?P<article>an?\s|the\s|one of the\s|his\s|her\s)?"
)
_PHRASE = re.compile(r"(?:[a-z-]{2,20},\s){0,3}[^.;:,()（），。；\n–—]{2,90}")
_ENDS = re.compile(
    r"\s(?:of|by|about|that|who|which|whose|from|in|on|at|and|with|where|when|for|set|written|directed|published|based|is|was|has|but|so)\b"
)
_INNER = re.compile(r"\b(?:than|like|as|not|the|no|an?)\b", re.IGNORECASE)
_VAGUE = re.compile(
    r"(?<!video\s)(?<!board\s)(?<!comic\s)(?<!picture\s)\b(?:game|song|book|single|symphony|opera|ballet|comic)s?$"
)
_GAP = re.compile(r"[\s,;:：，。(（–—|/-]{0,4}(?:[\w.]{1,20}\s){0,3}")
_ADAPTED = re.compile(r"\s(?:adaptation|version|remake)s?$")
_IS_CJK = re.compile(r"[，,]?\s?(?:是|为)(?P<what>[^，。；！\n]{2,40})")
_THIS = re.compile(r"(?:The|This|That|In the|In this|As a)\s(?=\w)|(?:这|该|本|此)[部本个套片款张]?")
_BY = re.compile(r"(?:\s?[,–—-])?\s(?:written\s)?by\s(?P<who>(?:[A-Z][\w.’'-]{0,20}\s?){2,4})")


def of_kind(
    mentions: Mentions, judged: Sequence[Mention], items: Mapping[int, tuple[str, int | None]], item_word: str
) -> list[Mention]:
    """The mentions, those marked `other` whose item is of another kind than the wanted one.

    An item that is said to be of both (a book and the film made of it under one name) keeps the mentions that are not
    said to be of another kind.
    """
    media = media_of(item_word)
    if not media.other:
        return list(judged)
    near = {m.start: "other" if m.other else _near(mentions, m, media) for m in judged}
    under = _under(mentions, judged, media)
    over = _over(mentions, judged, media)
    mixed = _is_mixed(mentions, media)
    said: dict[tuple[str, int | None], list[set[str]]] = defaultdict(lambda: [set(), set(), set()])
    for mention in judged:
        weak = _by_author(mentions, mention, media) if mixed else ""
        ranks = (near[mention.start], under.get(mention.start, ""), over.get(mention.start, "") or weak)
        for place, found in zip(said[items[mention.start]], ranks, strict=True):
            place.add(found)
    decided = {item: next((_of(found) for found in ranks if _of(found)), "") for item, ranks in said.items()}
    return [
        replace(m, other=True) if near[m.start] == "other" or decided[items[m.start]] == "other" else m for m in judged
    ]


def _of(found: set[str]) -> str:
    return "own" if "own" in found else "other" if "other" in found else ""


def _near(mentions: Mentions, mention: Mention, media: Media) -> Said:
    """What the brackets, the words before and the words after a name say."""
    chunk = mentions.page.chunk
    start, end = mentions.sentence(mention.start)
    bracket = media.said(media.named(chunk[mention.end : mention.reach]))
    if bracket:
        return bracket
    lead = chunk[max(start, mention.start - _LEAD) : mention.start].rstrip(_OPENING)
    before = adaptation(lead, media) or media.ends(_CALLED.sub("", lead))
    if not before and ends_with(mentions.page.cues.others, lead):
        return "other"
    after = chunk[mention.reach : max(mention.reach, min(mention.reach + _TAIL, _line_end(mentions, mention)))]
    return media.said(before) or media.said(_after(after, media)) or _made(after, media, end - mention.reach)


def _after(text: str, media: Media) -> set[str]:
    """The medium of the words after a name: ", a 1961 novel by ...", " is a slow film", "：小说", 是一部小说."""
    cjk = _IS_CJK.match(text)
    if cjk is not None:
        return media.ends(cjk["what"].rstrip()) or media.begins(text.lstrip("，, "))
    parted = _PARTED.match(text)
    if parted is None:
        return media.begins(text.lstrip("，,：: ")) if has_cjk(text[:4]) else set()
    mark, article = parted["mark"] or "", (parted["article"] or "").strip()
    phrase = _PHRASE.match(text, parted.end())
    if phrase is None or (article == "the" and mark in (":", "-", "–", "—")):
        return set()
    noun = _ENDS.split(phrase[0], maxsplit=1)[0].rstrip(" '’\"”»")
    if not article and not media.begins(noun):
        return set()
    if not article and not mark and media.noun.fullmatch(noun) is None:
        return set()
    if _VAGUE.search(noun) and phrase[0][len(noun) :].startswith((" of ", " about ")):  # a game of four screens
        return set()
    made = _ADAPTED.search(noun)
    found = media.ends(noun[: made.start()] if made else noun)
    if _INNER.search(noun) or (made and found <= _MAKERS["print"] | _MAKERS["game"]):
        return set()
    return found


def _made(text: str, media: Media, sentence: int) -> Said:
    """What words about its making after a name say: ", directed by ...", 作者：..."""
    text = text[: max(0, sentence)]
    found = set()
    for kind in _MAKERS:
        for match in cue(f"media_makers.{kind}").finditer(text):
            label = text[match.end() : match.end() + 1] in (":", "：")
            beside = _GAP.fullmatch(text, 0, match.start()) and not (media.named(text[: match.start()]))
            if beside and (label or folded(match[0]) not in words("media_makers.labels_only")):
                found.add(kind)
    return media.said(_MAKERS[found.pop()]) if len(found) == 1 else ""


def _under(mentions: Mentions, judged: Sequence[Mention], media: Media) -> dict[int, Said]:
    """What the columns of its row, the labels and the first words under it say of an item that owns lines."""
    found: dict[int, Said] = {}
    owners = {
        number: m for m in reversed(judged) if m.owns and (number := mentions.line_of(m.start, m.end)) is not None
    }
    for number, mention in owners.items():
        told = mentions.told.get(mentions.lines[number].start)
        if told is not None:
            found[mention.start] = _columns(told, media)
            continue
        below = []
        for line in mentions.lines[number + 1 : number + 1 + _UNDER]:
            if mentions.first_in(line.start, line.end) is not None or line.part in ("ends", "links"):
                break
            below.append(mentions.page.text(line))
        said = [_labelled(text, media) for text in below] + [_opening(text, media) for text in below]
        found[mention.start] = next((each for each in said if each), "")
    return found


def _columns(told: Sequence[tuple[str, str]], media: Media) -> Said:
    """What a row says: the cell of a column "Type", else the names of the columns."""
    kinds = [media.said(media.named(value)) for name, value in told if folded(name) in words("media_makers.kind")]
    named = [media.said(media.named(name)) for name, _ in told]
    makers = [_label(name, media) for name, _ in told]
    return next((each for each in (*kinds, *named, *makers) if each), "")


def _labelled(text: str, media: Media) -> Said:
    label, colon, value = text.replace("：", ":").partition(":")
    if not colon or len(label) > 24:
        return ""
    return media.said(media.named(value)) if folded(label) in words("media_makers.kind") else _label(label, media)


def _label(name: str, media: Media) -> Said:
    found = {kind for kind in _MAKERS if cue(f"media_makers.{kind}").fullmatch(name.strip())}
    return media.said(_MAKERS[found.pop()]) if len(found) == 1 else ""


def _opening(text: str, media: Media) -> Said:
    """What the first words of a paragraph call its item: "The novel is told ...", 这部小说..."""
    match = _THIS.match(text)
    return media.said(media.begins(text[match.end() :])) if match else ""


def _over(mentions: Mentions, judged: Sequence[Mention], media: Media) -> dict[int, Said]:
    """What the nearest heading or the line that leads to a list says of the mentions below it."""
    found: dict[int, Said] = {}
    current: Said = ""
    place = 0
    for line in mentions.lines:
        here: list[Mention] = []
        while place < len(judged) and judged[place].start < line.end:
            here.append(judged[place])
            place += 1
        if not any(mention.owns for mention in here):
            current = _headed(mentions, line, current, media)
        found.update((mention.start, current) for mention in here)
    return found


def _headed(mentions: Mentions, line: Line, current: Said, media: Media) -> Said:
    """What holds below a line: what it says where it is a heading or leads to a list, else what held before."""
    raw = mentions.page.chunk[line.start : line.end]
    leads = raw[-1:] in ":："
    if not (line.heading or leads) or len(raw) > _LONGEST_HEADING or line.mark:
        return current
    text = mentions.without_names(line.body, line.end).strip(" :：")
    named = {medium for noun in media.noun.finditer(text) if (medium := _listed(noun, text, media))}
    if named:
        own = named & media.own or media.own_words.search(text)
        return "" if own and named & media.other else "own" if own else media.said(named)
    again = line.part == "ends" or media.own_words.search(text) or mentions.page.cues.speaks.search(text)
    return "" if again else current


def _listed(noun: re.Match[str], text: str, media: Media) -> str:
    """The medium of a noun in a heading, if it speaks of several items or is all of the heading."""
    word = folded(noun[0])
    many = word.endswith("s") or has_cjk(word) or word in words("media.plural") or noun[0] == text
    return media.medium_of[word] if many else ""


def _is_mixed(mentions: Mentions, media: Media) -> bool:
    """Whether a heading of the page, names both items of the wanted kind and printed ones."""
    for line in mentions.lines:
        if line.heading and not line.mark and line.end - line.start <= _LONGEST_HEADING:
            named = media.named(mentions.page.text(line))
            if named & media.own and named & _MAKERS["print"] & media.other:
                return True
    return False


def _by_author(mentions: Mentions, mention: Mention, media: Media) -> Said:
    """Whether "by AUTHOR" stands beside a name of which nothing says that it is of the wanted kind."""
    chunk = mentions.page.chunk
    by = _BY.match(chunk, mention.reach)
    if by is None or not person_like(by["who"]):
        return ""
    end = max(mention.reach, mentions.sentence(mention.start)[1])
    return "" if media.own_words.search(chunk, mention.reach, end) else "other"


def _line_end(mentions: Mentions, mention: Mention) -> int:
    number = mentions.line_of(mention.start, mention.end)
    return mention.reach if number is None else mentions.lines[number].end
