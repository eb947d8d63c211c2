"""`pdgf chat`: one utterance a line on stdin, one reply a turn."""

import asyncio
import sys

import typer

from dialogue import commands, printing, wording
from dialogue.command_line import aside, dumped, exit_code
from dialogue.composition import Composition
from dialogue.contract import turn_json
from dialogue.conversation import Conversations
from dialogue.events import Finished
from dialogue.models import TurnView
from dialogue.owned import LOCAL_OWNER
from pdgf.errors import PdgfError


async def chat(domain: str, thread: str | None, composition: Composition, *, as_json: bool) -> int:
    """Turns until stdin ends, and the exit code; a turn that fails is told in its reply and the next one goes on."""
    known = composition.domain(domain)
    code = 0
    async with Conversations(
        composition.keeping.conversations(),
        composition.ports,
        composition.forget,
        domains=composition.domains(),
        account_for=composition.allowances.account,
    ) as conversations:
        thread_id = await conversations.start(known, LOCAL_OWNER, thread)
        goes_on_in = (await conversations.find(thread_id)).domain
        if goes_on_in != known.name:
            aside(wording.say("cli.other_domain", thread=thread_id, domain=goes_on_in))
        if not as_json:
            typer.echo(composition.domain(goes_on_in).greeting)
        while line := await asyncio.to_thread(_next_line):
            utterance = line.decode("utf-8", errors="replace").rstrip("\r\n")
            try:
                view = await _turn(conversations, thread_id, utterance)
            except PdgfError as error:
                code = exit_code(error)
                aside(wording.sentence_for(error))
                view = await commands.failed_turn(conversations, thread_id, utterance, wording.sentence_for(error))
            typer.echo(dumped(turn_json(view), one_line=True) if as_json else printing.turn_text(view))
    return code


def _next_line() -> bytes:
    """The next line of stdin; empty at its end, or when there is none."""
    return sys.stdin.buffer.readline() if sys.stdin is not None else b""


async def _turn(conversations: Conversations, thread_id: str, utterance: str) -> TurnView:
    async for event in conversations.turn(thread_id, utterance):
        if isinstance(event, Finished):
            return event.view
    raise RuntimeError("a turn ends with Finished")
