"""What of a model's prose may be shown: sentences whose citations and quotes stand in what it was given. Pure.

A sentence stays only if it cites an id that was given or quotes words of a given text, and if it

    cites no unknown id and quotes nothing that stands nowhere
    writes no number that neither the texts it cites nor the user's words hold
    names nothing by a capital that no given text names, and no other item that no text it cites names
    repeats nothing of what the model was told to do
    claims nothing about a wish of which nothing is known

or if all it says is that such a wish is not known. Marks are taken out of what stays, quotes are put as they stand in
their source, and the sources come with the words.
"""

import re
from collections.abc import Iterable, Sequence

from dialogue import claims
from dialogue.models import ItemRef, Piece, QuotedSource
from dialogue.prose import Quotation, is_cjk, quotations
from dialogue.standings import source_of, standings
from pdgf.constraints import fact_line
from pdgf.models import Metadata, PreferenceGraph, RankedItem, Value, normalised
from pdgf.ports import ReviewHit
from pdgf.quotes import borne_out
from pdgf.texts import clean, collapsed

QUOTES_PER_WISH = 2
DISTINCTIVE = 5  # letters from which a title of one word at the start of a sentence is taken for the title
DISTINCTIVE_CJK = 3
ORDERED = 8  # words in a row that nobody writes by chance

_MARK = re.compile(
    r"(?P<open>[\[(【［（])\s*(?P<ids>[A-Za-z]\d{1,3}(?:(?:\s*(?:[,;，、；&]|\band\b)\s*|\s+)[A-Za-z]\d{1,3})*)\s*[\])】］）]"
)
_ID = re.compile(r"[a-z]\d{1,3}")
_NO_PROSE = re.compile(
    r"\[[^\]]*\]|【[^】]*】|https?:|www\.|javascript:|mailto:|\]\(|<[a-z/!]|\||(?-i:\bUNKNOWN\b)", re.IGNORECASE
)
_NAMED_TITLE = re.compile(r"《([^》]*)》|〈([^〉]*)〉")
_EMPHASIS = re.compile(r"[*`]+|~~|(?<!\w)_+|_+(?!\w)")
_LINE_START = re.compile(r"^\s*(?:#+\s+|>+\s*|[-•+–]\s+|\d{1,2}[.)]\s+)+")
_PUNCTUATION = ".,;:!?…。，！？；：、"
_STOPS = ".!?…。！？"
_BEFORE_PUNCTUATION = re.compile(rf"\s+([{re.escape(_PUNCTUATION)}])")
_BETWEEN_CJK = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef]) +(?=[\u3000-\u9fff\uff00-\uffef])")
_TAIL = re.compile(rf"[{re.escape(_PUNCTUATION)}]*$")


class Sourced(Value):
    """A text that a model may cite by `id`, and where it stands."""

    id: str
    text: str
    source: QuotedSource


def evidence_of(item: RankedItem, graph: PreferenceGraph) -> tuple[Sourced, ...]:
    """The quotes that an explanation may cite, e1, e2 ... in the order of the wishes."""
    found: dict[str, QuotedSource] = {}
    for standing in standings(item, graph):
        for quote in standing.quotes[:QUOTES_PER_WISH]:
            if quote not in found and (source := source_of(item, quote)) is not None:
                found[quote] = source
    return tuple(
        Sourced(id=f"e{number}", text=quote, source=source)
        for number, (quote, source) in enumerate(found.items(), start=1)
    )


def facts_of(item: ItemRef, metadata: Metadata) -> tuple[Sourced, ...]:
    """An item's metadata and year as lines, f1, f2 ...; the catalogue's index knows them by item id and key."""
    lines = {key: fact_line(key, value) for key, value in metadata.items()}
    if item.year is not None:
        lines.setdefault("year", fact_line("year", str(item.year)))
    return tuple(
        Sourced(
            id=f"f{number}",
            text=line,
            source=QuotedSource(item=item.id, title=item.title, quote=line, source=f"{item.id}#{key}"),
        )
        for number, (key, line) in enumerate(lines.items(), start=1)
    )


def passages_of(item: ItemRef, hits: Sequence[ReviewHit]) -> tuple[Sourced, ...]:
    """Passages about an item, p1, p2 ..."""
    return tuple(
        Sourced(
            id=f"p{number}",
            text=hit.passage.text,
            source=QuotedSource(
                item=item.id,
                title=item.title,
                quote=hit.passage.text,
                source=hit.passage.source.id,
                url=hit.passage.source.url,
            ),
        )
        for number, hit in enumerate(hits, start=1)
    )


class CitationCheck:
    """Holds the sentences of one explanation or answer against what it may cite.

    `title` is the item's own. `known` are texts that may be repeated without being a source (the wishes, the question),
    `others` the titles of other items, `silent` the wishes of which nothing is known, `spoken` the other wishes,
    `orders` what the model was told to do.
    """

    def __init__(
        self,
        sourced: Sequence[Sourced],
        *,
        title: str,
        known: Iterable[str] = (),
        others: Iterable[str] = (),
        silent: Iterable[str] = (),
        spoken: Iterable[str] = (),
        orders: str = "",
    ) -> None:
        self._sourced = {each.id: each for each in sourced}
        self.title = title
        self._known = "\n".join(known)
        given = "\n".join([title, self._known, *(each.text for each in sourced)])
        self._words = claims.words(given)
        self._given, self._orders = claims.phrase(given), claims.phrase(orders)
        own = normalised(title)
        self._others = [other for other in others if normalised(other) != own]
        self._spoken = [*spoken]
        self._silent = [w for w in silent if not any(claims.names_wish(other, w) for other in self._spoken)]

    def piece(self, sentence: str) -> Piece | None:
        """The sentence as it may be shown, with its sources; None when it may not."""
        unmarked, cited = self._without_marks(clean(sentence))
        text = _tidied(unmarked, plain=not _EMPHASIS.search(self.title))
        quoted = quotations(text)
        if quoted is None or not all(mark in self._sourced for mark in cited):
            return None
        found = [self._found(quotation, cited) for quotation in quoted]
        shown, bare = _told(text, quoted, [exact for _, exact in found])
        if not all(exact for _, exact in found) or not any(character.isalnum() for character in shown):
            return None
        quotes = [(mark, exact) for mark, exact in found if mark]
        cited = list(dict.fromkeys([*cited, *(mark for mark, _ in quotes)]))
        if not self._borne_out(bare, cited) or not (cited or self._tells_silence(bare)):
            return None
        return Piece(text=shown, sources=tuple(dict.fromkeys(self._sources(cited, quotes))))

    def _without_marks(self, sentence: str) -> tuple[str, list[str]]:
        """The sentence without its citation marks, and their ids. A bracket of another kind is a mark where it holds
        nothing but known ids."""
        cited: list[str] = []

        def taken(mark: re.Match[str]) -> str:
            ids = _ID.findall(mark["ids"].lower())
            if mark["open"] in "(（" and not all(each in self._sourced for each in ids):
                return mark[0]
            cited.extend(ids)
            return ""

        return _MARK.sub(taken, sentence), list(dict.fromkeys(cited))

    def _found(self, quotation: Quotation, cited: Sequence[str]) -> tuple[str, str]:
        """The id of the source of quoted words and the words as they stand there, cited sources first. The item's own
        title needs no source; empty words: no given text holds them."""
        if claims.phrase(quotation.words) == claims.phrase(self.title):
            return "", quotation.words
        for mark in dict.fromkeys([*cited, *self._sourced]):
            exact = borne_out(quotation.words, self._sourced[mark].text)
            if exact is not None:
                return mark, exact
        return "", ""

    def _sources(self, cited: Sequence[str], quotes: Sequence[tuple[str, str]]) -> Iterable[QuotedSource]:
        """What a sentence cites: the words that it quotes from a source, or else the whole of it."""
        for mark in cited:
            whole = self._sourced[mark].source
            own = [exact for quoted, exact in quotes if quoted == mark]
            yield from (whole.model_copy(update={"quote": exact}) for exact in own)
            if not own:
                yield whole

    def _borne_out(self, bare: str, cited: Sequence[str]) -> bool:
        """Whether nothing in the sentence's own words shows that it goes beyond what it was given."""
        texts = "\n".join(self._sourced[mark].text for mark in cited)
        repeatable = f"{self._known}\n{texts}"
        besides = bare.replace(self.title, " ")  # a title is no source: what it holds stands for nothing but the item
        titles = ("".join(groups) for groups in _NAMED_TITLE.findall(besides))
        return not (
            _NO_PROSE.search(besides)
            or claims.numbers(besides) - claims.numbers(repeatable)
            or not all(claims.is_among(name, self._words) for name in claims.names(bare))
            or not all(normalised(title) in normalised(repeatable) for title in titles)
            or any(_names(title, besides) and not _holds(repeatable, title) for title in self._others)
            or self._repeats_orders(bare)
            or self._claims_silent(besides, texts)
        )

    def _repeats_orders(self, bare: str) -> bool:
        """Whether the words repeat a stretch of what the model was told to do, which no given text holds too."""
        words = claims.phrase(bare).split()
        stretches = (f" {' '.join(words[at : at + ORDERED])} " for at in range(len(words) - ORDERED + 1))
        return any(stretch in self._orders and stretch not in self._given for stretch in stretches)

    def _claims_silent(self, bare: str, texts: str) -> bool:
        """Whether the words claim something about a wish of which no label and no cited text says anything."""
        claimed = (w for w in self._silent if claims.names_wish(bare, w) and not claims.names_wish(texts, w))
        return not claims.says_not_known(bare) and any(claimed)

    def _tells_silence(self, bare: str) -> bool:
        """Whether all the words say is that a wish of which nothing is known is not known."""
        return (
            claims.says_only_not_known(bare)
            and any(claims.names_wish(bare, wish) for wish in self._silent)
            and not any(claims.names_wish(bare, wish) for wish in self._spoken)
        )


def _names(title: str, bare: str) -> bool:
    """Whether the words of a sentence name an item by its title."""
    if title not in bare:
        return False
    if all(map(is_cjk, title)):
        return len(title) >= DISTINCTIVE_CJK
    if " " not in title and len(title) < DISTINCTIVE:
        return False  # inside a sentence its capital gives it away
    return claims.phrase(title) in claims.phrase(bare)


def _holds(text: str, title: str) -> bool:
    """Whether a text names an item by its title, in whatever case."""
    if all(map(is_cjk, title)):
        return normalised(title) in normalised(text)
    return claims.phrase(title) in claims.phrase(text)


def _told(text: str, quoted: Sequence[Quotation], exact: Sequence[str]) -> tuple[str, str]:
    """A sentence with its quotes as they stand in their sources, and the words that are the sentence's own."""
    edges = [0, *(edge for quotation in quoted for edge in (quotation.start, quotation.end)), len(text)]
    own = [text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
    shown = own[0]
    for quotation, words, after in zip(quoted, exact, own[1:], strict=True):
        opening, closing = text[quotation.start], text[quotation.end - 1]
        if words.endswith(tuple(_STOPS)):
            after = after.removeprefix(".").removeprefix("。")
        elif not {words[-1:], after[:1]} & set(_PUNCTUATION):  # a mark that the source lacks stands outside
            after = "".join(_TAIL.findall(quotation.words.strip())).strip("…")[:1] + after
        shown += f"{opening}{words}{closing}{after}"
    return shown.strip(), "“”".join(own).strip()


def _tidied(text: str, *, plain: bool) -> str:
    """A sentence without the gaps that marks leave and, where it is plain, without Markdown."""
    closed = _BEFORE_PUNCTUATION.sub(r"\1", _EMPHASIS.sub("", text) if plain else text)
    return _BETWEEN_CJK.sub("", collapsed(_LINE_START.sub("", closed)))
