"""What became of a file, in sentences: rows that were refused stand by reason, and what is said is read aloud. Pure."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from dialogue.ui.file_words import in_words
from dialogue.ui.templates import render
from dialogue.ui.texts import Texts, sentence
from pdgf.catalogues.reading import RefusedRow

REASONS_LISTED = 12  # of refused rows, rows of one reason together
LINES_LISTED = 8  # of one reason


@dataclass(frozen=True, kw_only=True)
class Reason:
    """Why rows were refused, and in which lines."""

    why: str
    lines: Sequence[int]
    more: int = 0


@dataclass(frozen=True, kw_only=True)
class Report:
    """What became of a file, in sentences, and the rows that were refused."""

    said: Sequence[str] = ()
    heading: str = ""
    reasons: Sequence[Reason] = ()
    others: str = ""
    titles: Sequence[str] = ()


def status(texts: Texts, text: str, *, trouble: bool = False) -> str:
    """A sentence that is also read aloud."""
    return render("data_status.html", texts, text=text, trouble=trouble)


def reasons_of(texts: Texts, refused: Sequence[RefusedRow]) -> tuple[list[Reason], str]:
    """Refused rows by reason, in the order of the file and the words of the page, and how many reasons more."""
    lines: dict[str, list[int]] = defaultdict(list)
    for row in refused:
        lines[row.why].append(row.line)
    listed = [
        Reason(why=in_words(why, texts), lines=at[:LINES_LISTED], more=max(len(at) - LINES_LISTED, 0))
        for why, at in list(lines.items())[:REASONS_LISTED]
    ]
    more = len(lines) - REASONS_LISTED
    return listed, sentence(texts, texts["catalogue"]["more_reasons"], reasons=more) if more > 0 else ""
