"""The state written by hand as JSON: what it changes, or what is wrong with it, in words and with the line. Pure.

It is taken as a whole or not at all. Where a value was said (`span`) is kept by the conversation and not read here.
"""

import json
import re
from collections.abc import Collection, Sequence
from typing import Any, Final

from dialogue import intents
from dialogue.domain import Domain
from dialogue.edits import LONGEST, MOST, Act, Edit, cleaned
from dialogue.models import DialogueState
from dialogue.record import values_of
from dialogue.ui.state_view import name_of
from dialogue.ui.texts import Texts
from pdgf.models import normalised

STRENGTHS: Final = ("hard_constraints", "soft_constraints")
LISTS: Final = ("recommended_items", "rejected_items", "accepted_items")
LONGEST_TEXT: Final = 200_000  # characters that are read
TOLD: Final = 12  # problems that are told at once

Wish = tuple[str, str, bool]  # key, words, whether it is a must


def written(state: DialogueState) -> str:
    """The state as it is shown to be edited: all five keys, a wish as its words."""
    rows: dict[str, Any] = {
        name: {key: [value.text for value in values] for key, values in getattr(state, name).items()}
        for name in STRENGTHS
    }
    rows |= {name: [item.model_dump(mode="json") for item in getattr(state, name)] for name in LISTS}
    return json.dumps(rows, ensure_ascii=False, indent=2)


def edits_of(text: str, state: DialogueState, domain: Domain, texts: Texts) -> tuple[list[Edit], list[str]]:
    """The edits that lead from the state to what is written, or the problems of what is written; one of them is empty
    (both are where nothing is different)."""
    said, before = texts["state"]["problems"], [(key, value.text, hard) for key, value, hard in values_of(state)]
    if len(text) > max(LONGEST_TEXT, 2 * len(written(state))):
        return [], [str(said["long_text"].format(count=len(text), limit=LONGEST_TEXT))]
    reader = _Reader(text, domain, texts)
    rows = reader.rows()
    if (count := reader.count(rows)) > max(MOST, len(before)):
        return [], [str(said["many"].format(count=count, limit=MOST))]
    wishes = reader.wishes(rows, before)
    removed = reader.removed(rows, state)
    if reader.problems:
        return [], reader.problems[:TOLD]
    edits = [*_changes(before, wishes), *removed]
    if len(edits) > MOST:
        return [], [str(said["many_changes"].format(count=len(edits), limit=MOST))]
    return edits, []


def refusal(key: str, words: str, domain: Domain, texts: Texts) -> str:
    """Why a wish cannot stand under a key; empty where it can."""
    said, key = texts["state"]["problems"], intents.cleaned(key)
    if key not in keys_of(domain):
        return str(said["key"].format(key=key, known=", ".join(keys_of(domain))))
    return words_refusal(words, texts)


def words_refusal(words: str, texts: Texts) -> str:
    """Why words cannot be a wish; empty where they can."""
    said = texts["state"]["problems"]
    if not any(sign.isalnum() for sign in cleaned(words)):
        return str(said["blank"])
    return str(said["long"].format(count=len(words), limit=LONGEST)) if len(words) > LONGEST else ""


def keys_of(domain: Domain) -> tuple[str, ...]:
    """The keys that a wish can stand under, `others` last."""
    return (*(row.key for row in domain.constraint_keys if row.key != "others"), "others")


def choices_of(domain: Domain, texts: Texts) -> tuple[tuple[str, str], ...]:
    """The keys of a domain to choose from, as a person reads them."""
    named = ((name_of(key, texts), key) for key in keys_of(domain) if key != "domain")
    return tuple((name[:1].upper() + name[1:], key) for name, key in named)


def _changes(before: Sequence[Wish], after: Sequence[Wish]) -> list[Edit]:
    """What was removed, made a must or none, and added, in this order."""
    old = {(key, normalised(text)): (text, hard) for key, text, hard in before}
    new = {(key, normalised(text)): (text, hard) for key, text, hard in after}
    gone = [Edit(act=Act.DROP, key=at[0], text=text) for at, (text, _) in old.items() if at not in new]
    moved = [
        Edit(act=Act.MUST if hard else Act.NICE, key=at[0], text=text)
        for at, (text, hard) in new.items()
        if at in old and old[at][1] != hard
    ]
    fresh = [
        Edit(act=Act.ADD, key=at[0], words=cleaned(text), hard=hard)
        for at, (text, hard) in new.items()
        if at not in old
    ]
    return [*gone, *moved, *fresh]


class _Reader:
    """Reads what is written and notes each problem with its line."""

    def __init__(self, text: str, domain: Domain, texts: Texts) -> None:
        self._text, self._domain, self._texts = text, domain, texts
        self._words = texts["state"]["problems"]
        self.problems: list[str] = []

    def rows(self) -> dict[str, Any]:
        """The five keys; those that are missing are empty, which removes what they held."""
        try:
            read = _storable(json.loads(self._text, parse_int=float))  # a number may have more digits than an int takes
        except json.JSONDecodeError as error:
            self._note("syntax", error.lineno, what=error.msg)
            return {}
        except RecursionError:
            self._note("shape", 1)
            return {}
        if not isinstance(read, dict):
            self._note("shape", 1)
            return {}
        for name in read:
            if name not in (*STRENGTHS, *LISTS):
                self._note("name", self._line(name), name=name, known=", ".join((*STRENGTHS, *LISTS)))
        for name in (*STRENGTHS, *LISTS):
            if name not in read:
                self.problems.append(str(self._words["missing"].format(name=name)))  # it stands in no line
        return read

    def count(self, rows: dict[str, Any]) -> int:
        """How many wishes are written, whatever they are."""
        held = (values for name in STRENGTHS if isinstance(row := rows.get(name), dict) for values in row.values())
        return sum(len(values) for values in held if isinstance(values, list))

    def wishes(self, rows: dict[str, Any], before: Sequence[Wish]) -> list[Wish]:
        """The wishes under both strengths."""
        found: list[Wish] = []
        for name in STRENGTHS:
            row = rows.get(name, {})
            if not isinstance(row, dict):
                self._note("row", self._line(name), name=name)
                continue
            for key, values in row.items():
                found += [(key, text, name == STRENGTHS[0]) for text in self._values(key, values)]
        self._single(found, {(key, normalised(text)) for key, text, _ in before})
        return found

    def removed(self, rows: dict[str, Any], state: DialogueState) -> list[Edit]:
        """Items may leave a list; nothing else of the lists can be changed here."""
        found: list[Edit] = []
        for name in LISTS:
            values = rows.get(name, [])
            known = {item.id: item for item in getattr(state, name)}
            if not isinstance(values, list) or not all(_id_of(value) in known for value in values):
                self._note("items", self._line(name), name=name)
                continue
            stay = {value["id"] for value in values}
            found += [
                Edit(act=Act.FORGET, key=name, item=item.id, text=item.title)
                for item in known.values()
                if item.id not in stay
            ]
        return found

    def _values(self, key: str, values: Any) -> list[str]:
        if not isinstance(values, list):
            self._note("values", self._line(key), key=key)
            return []
        found = []
        for value in values:
            text = value.get("text") if isinstance(value, dict) else value
            if not isinstance(text, str):
                self._note("values", self._line(key), key=key)
                continue
            if why := refusal(key, text, self._domain, self._texts):
                self.problems.append(self._at(self._line(key), why))
                if key not in keys_of(self._domain):
                    break
                continue
            found.append(text)
        return found

    def _single(self, wishes: Sequence[Wish], before: Collection[tuple[str, str]]) -> None:
        """No wish stands twice, and where a key holds one value at a time none is put beside another."""
        for key in dict.fromkeys(key for key, _, _ in wishes):
            texts = [normalised(text) for at, text, _ in wishes if at == key]
            if len(set(texts)) < len(texts):
                self._note("twice", self._line(key), key=key)
            elif len(texts) > 1 and not self._domain.row(key).cumulative and any((key, t) not in before for t in texts):
                self._note("one_value", self._line(key), key=key)

    def _note(self, problem: str, line: int, **fields: Any) -> None:
        self.problems.append(self._at(line, self._words[problem].format(**fields)))

    def _at(self, line: int, why: str) -> str:
        return str(self._words["line"].format(line=line, why=why))

    def _line(self, name: str) -> int:
        """The line in which a key stands first; not looked for where the problem is not told any more."""
        if len(self.problems) >= TOLD:
            return 1
        match = re.search(rf"{re.escape(json.dumps(name, ensure_ascii=False))}\s*:", self._text)
        return self._text.count("\n", 0, match.start()) + 1 if match else 1


def _storable(value: Any) -> Any:
    """What was read, with the halves of signs in its strings replaced: they can neither be stored nor shown."""
    if isinstance(value, str):
        return intents.cleaned(value)
    if isinstance(value, list):
        return [_storable(each) for each in value]
    if isinstance(value, dict):
        return {intents.cleaned(name): _storable(each) for name, each in value.items()}
    return value


def _id_of(value: Any) -> str | None:
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, str) else None
