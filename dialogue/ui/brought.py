"""What happens in the tab "Your data": a file is taken in, looked at, built; a list is read, kept, forgotten.

What a visitor sends is read once and deleted; it becomes a draft, then a domain (own_domains.py), or a list that the
conversations leave out. Both belong to whom the browser's memory names, and to nobody else.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from dialogue.own_catalogue import FIELDS, Checked, Chosen, Field
from dialogue.own_domains import Build, Draft
from dialogue.seen_lists import read_seen_list
from dialogue.ui.arrivals import read_and_deleted
from dialogue.ui.desk import Desk, Memory, choices, recall
from dialogue.ui.events import Updates, said
from dialogue.ui.file_words import in_words
from dialogue.ui.reports import Report, reasons_of, status
from dialogue.ui.templates import render
from dialogue.ui.texts import Texts, counted, sentence, trouble
from pdgf.catalogues.reading import RefusedRow
from pdgf.errors import PdgfError, UploadGone

NOT_USED = ""  # the choice of no column
TITLES_LISTED = 200


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The components of the tab; `columns` has a choice for each field of ours."""

    draft: Any
    built: Any
    file: Any
    status: Any
    preview: Any
    mapping: Any
    columns: Mapping[Field, Any]
    name: Any
    checked: Any
    build: Any
    mine: Any
    seen_file: Any
    seen_text: Any
    seen_add: Any
    seen_status: Any
    seen: Any


class Data:
    """What the events do: each method takes what the browser sent and gives new values of components."""

    def __init__(self, desk: Desk, parts: Parts) -> None:
        if desk.own is None:
            raise ValueError("a desk without domains of one's own")
        self._desk, self._parts, self._own = desk, parts, desk.own
        self._texts = desk.texts

    async def arrive(self, stored: Any) -> AsyncIterator[Updates]:
        """What a visitor has brought before; a build that is still running is followed to its end."""
        memory = recall(self._desk, stored)
        yield {self._parts.mine: self._mine(memory)}
        try:
            yield {self._parts.seen: await self._seen(memory)}
        except PdgfError as error:
            yield {self._parts.seen_status: self._said(error)}
        if build := self._own.building(memory.owner):
            async for new in self._followed(memory, build):
                yield new

    async def take_in(self, stored: Any, sent: str | None) -> Updates:
        """A file: what it holds and what its columns seem to be. One that cannot be taken leaves all else as it was."""
        parts, memory = self._parts, recall(self._desk, stored)
        try:
            called, data = await asyncio.to_thread(read_and_deleted, sent, self._own.max_bytes)
            draft = await self._own.take_in(memory.owner, data, called)
            checked = await self._own.check(memory.owner, draft, draft.preview.proposed)
        except PdgfError as error:
            return {parts.file: None, parts.status: self._said(error)}
        said = sentence(self._texts, self._texts["catalogue"]["found"], rows=draft.preview.count)
        return {
            parts.file: None,
            parts.draft: draft,
            parts.status: status(self._texts, said),
            parts.preview: render("data_preview.html", self._texts, preview=draft.preview, called=draft.called),
            parts.mapping: gr.Column(visible=True),
            parts.name: draft.called,
            parts.checked: self._checked(checked),
            **self._columns(draft),
        }

    async def check(self, stored: Any, draft: Draft | None, *columns: Any) -> str:
        """What would be made of the file with the columns as they are chosen now."""
        memory = recall(self._desk, stored)
        try:
            return self._checked(await self._own.check(memory.owner, _still(draft), _chosen(columns)))
        except PdgfError as error:
            return self._said(error)

    async def build(self, stored: Any, draft: Draft | None, *chosen: Any) -> AsyncIterator[Updates]:
        """The file becomes a domain; the name that is typed stands last."""
        *columns, title = chosen
        memory = recall(self._desk, stored)
        try:
            build = await self._own.build(memory.owner, _still(draft), _chosen(columns), title or "")
        except PdgfError as error:
            yield {self._parts.status: self._said(error)}
            return
        async for new in self._followed(memory, build):
            yield new

    async def act(self, stored: Any, event: gr.EventData) -> Updates:
        """A button at one of the visitor's catalogues: talk about it, delete it (asked once), or keep it."""
        memory = recall(self._desk, stored)
        verb, _, name = said(event).partition(" ")
        parts, domain = self._parts, self._own.of(memory.owner).get(name)
        if domain is None or verb == "keep":
            return {parts.mine: self._mine(memory)}
        if verb == "open":
            return {parts.built: name}
        if verb == "ask":
            return {parts.mine: self._mine(memory, asked=name)}
        try:
            for row in await self._desk.conversations.list(memory.owner):
                if row.domain == name:
                    self._desk.runs.stop(row.thread)
                    await self._desk.conversations.delete(row.thread)
            await self._own.remove(memory.owner, name)
        except PdgfError as error:
            return {parts.status: self._said(error)}
        gone = self._texts["catalogue"]["deleted"].format(name=domain.title)
        return {parts.mine: self._mine(memory), parts.status: status(self._texts, gone), parts.built: memory.domain}

    async def add_file(self, stored: Any, sent: str | None) -> Updates:
        """A list in a file."""
        try:
            called, data = await asyncio.to_thread(read_and_deleted, sent, self._own.max_bytes)
            return {self._parts.seen_file: None, **await self._added(stored, data, called)}
        except PdgfError as error:
            return {self._parts.seen_file: None, self._parts.seen_status: self._said(error)}

    async def add_text(self, stored: Any, typed: str | None) -> Updates:
        """A list that was pasted; it stays in its box where nothing can be read from it."""
        try:
            data = (typed or "").encode("utf-8", "replace")
            return {self._parts.seen_text: "", **await self._added(stored, data, "")}
        except PdgfError as error:
            return {self._parts.seen_status: self._said(error)}

    async def forget(self, stored: Any) -> Updates:
        """Delete the list of what is known already."""
        memory = recall(self._desk, stored)
        try:
            await self._desk.conversations.forget_seen(memory.owner)
            gone = status(self._texts, self._texts["seen"]["forgotten"])
            return {self._parts.seen: await self._seen(memory), self._parts.seen_status: gone}
        except PdgfError as error:
            return {self._parts.seen_status: self._said(error)}

    async def _added(self, stored: Any, data: bytes, called: str) -> Updates:
        memory, words = recall(self._desk, stored), self._texts["seen"]
        read = await asyncio.to_thread(read_seen_list, data, name=called, max_bytes=self._own.max_bytes)
        counts = await self._desk.conversations.add_seen(memory.owner, read.titles)
        lines = [sentence(self._texts, words["kinds"][read.kind], titles=len(read.titles))]
        if counts.known:
            lines.append(sentence(self._texts, words["known"], titles=counts.known))
        report = self._report(read.refused, lines, words["refused"])
        return {self._parts.seen_status: report, self._parts.seen: await self._seen(memory)}

    async def _followed(self, memory: Memory, build: Build) -> AsyncIterator[Updates]:
        parts, words = self._parts, self._texts["catalogue"]
        yield {parts.mapping: gr.Column(visible=False), parts.preview: ""}
        async for now in build.watch():
            if not now.over:
                yield {parts.status: render("data_progress.html", self._texts, build=now, said=self._progress(now))}
        if build.trouble is not None:
            yield {parts.status: self._said(build.trouble), parts.mapping: gr.Column(visible=True)}
            return
        made = words["made"].format(name=build.title, **_counts(self._texts, build.checked))
        yield {
            parts.status: self._report(build.checked.refused, [made, words["ready"]], words["refused"]),
            parts.mine: self._mine(memory),
            parts.draft: None,
            parts.built: build.name,
        }

    def _progress(self, build: Build) -> str:
        words = self._texts["catalogue"]
        if build.waiting:
            return str(words["waiting"])
        return words["reading"].format(done=build.done, total=build.total) if build.total else str(words["preparing"])

    def _checked(self, checked: Checked) -> str:
        words = self._texts["catalogue"]
        if checked.problem:
            said = [words["problem"].format(why=in_words(checked.problem, self._texts))]
        else:
            said = [words["would"].format(**_counts(self._texts, checked))]
        return self._report(checked.refused, said, words["refused"])

    def _report(self, refused: Sequence[RefusedRow], said: Sequence[str], heading: str) -> str:
        """What was done, and the rows that could not be used by reason, under a heading that counts them."""
        reasons, others = reasons_of(self._texts, refused)
        rows = len({row.line for row in refused})
        counted_rows = sentence(self._texts, heading, rows=rows) if rows else ""
        report = Report(said=said, heading=counted_rows, reasons=reasons, others=others)
        return render("data_report.html", self._texts, report=report)

    def _columns(self, draft: Draft) -> Updates:
        """The choices of columns, the proposed ones chosen and the reason said."""
        words = self._texts["catalogue"]
        proposals = {proposal.field: proposal for proposal in draft.preview.proposals}
        found: Updates = {}
        for name, part in self._parts.columns.items():
            proposal = proposals.get(name)
            several = name == "texts"
            columns: Any = list(proposal.columns) if proposal else []
            found[part] = gr.Dropdown(
                choices=[*([] if several else [(words["none"], NOT_USED)]), *draft.preview.columns],
                value=columns if several else (columns or [NOT_USED])[0],
                multiselect=several,
                info=words["why"][proposal.why] if proposal else words["no_proposal"],
            )
        return found

    def _mine(self, memory: Memory, *, asked: str = "") -> str:
        rows = list(self._own.of(memory.owner).values())
        return render("data_mine.html", self._texts, rows=rows, asked=asked) if rows else ""

    async def _seen(self, memory: Memory) -> str:
        titles = await self._desk.conversations.seen_of(memory.owner)
        if not titles:
            return ""
        offered = self._desk.offered(memory.owner)
        counts = await self._own.known(list(offered), titles)
        called = {name: label for label, name in choices(self._desk, offered)}
        among = [f"{called[name]} ({count})" for name, count in counts.items() if count]
        words = self._texts["seen"]
        said = [sentence(self._texts, words["total"], titles=len(titles))]
        said.append(words["among"].format(domains=", ".join(among)) if among else words["among_none"])
        more = len(titles) - TITLES_LISTED
        report = Report(
            said=said,
            titles=[f"{title.title} ({title.year})" if title.year else title.title for title in titles[:TITLES_LISTED]],
            others=sentence(self._texts, words["more"], titles=more) if more > 0 else "",
        )
        return render("data_seen.html", self._texts, report=report)

    def _said(self, error: PdgfError) -> str:
        why, said = str(error), trouble(error, self._texts)
        told = said.replace(why, in_words(why, self._texts)) if why else said
        return status(self._texts, told, trouble=True)


def _chosen(columns: Sequence[Any]) -> Chosen:
    """The columns as they are chosen: one name, or for texts several."""
    named = ((name, value if isinstance(value, list) else [value]) for name, value in zip(FIELDS, columns, strict=True))
    return {name: tuple(column for column in value if isinstance(column, str) and column) for name, value in named}


def _still(draft: Draft | None) -> Draft:
    if draft is None:
        raise UploadGone("this page was loaded anew")
    return draft


def _counts(texts: Texts, checked: Checked) -> dict[str, str]:
    return {"items": counted(texts, "items", checked.items), "texts": counted(texts, "texts", checked.texts)}
