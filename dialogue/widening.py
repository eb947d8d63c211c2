"""A list that is on the screen, over wider evidence: told again where that changes it."""

import asyncio

from langgraph.runtime import Runtime

from dialogue import presenting, wording
from dialogue.models import TurnRecord
from dialogue.ports import TurnContext
from pdgf import recommend as pdg_f
from pdgf.errors import BudgetSpent
from pdgf.models import Recommendation
from pdgf.patience import ended


async def widened(
    turn: TurnRecord,
    runtime: Runtime[TurnContext],
    found: Recommendation,
    presented: TurnRecord | None,
    request: pdg_f.Request,
) -> tuple[Recommendation, TurnRecord | None]:
    """The same wishes over the wider evidence of the request, once the first list is on the screen; told again where
    it changes. What the wider source cannot give leaves the first list as it is.
    """
    context = runtime.context
    fitting = presenting.fitting(found, context)
    if presented is None and fitting:
        lead = presenting.lead(fitting, found.graph, context, alternatives=False, found=found)
        presented = await presenting.tell(turn, runtime, fitting, found.graph, lead=lead)
    runtime.stream_writer({"step": "widening"})
    widening = asyncio.ensure_future(pdg_f.widen(found, request))
    try:
        with context.budget.patience.stretch():
            waited = await context.budget.patience.wait(widening)
        if not waited:
            context.budget.set_back("widening_stopped", "stopped")
            return found, presented
        wide = widening.result()
    except BudgetSpent:
        context.budget.set_back("widening", "time")
        return found, presented
    finally:
        await ended(widening)
    best = presenting.fitting(wide, context)
    if wide.items == found.items or not best:
        return found, presented
    shown = presented["items"] if presented else []
    before = presented["reply"] if presented else ""
    if shown == [item.candidate.id for item in best[: context.domain.shown]] and presented is not None:
        sentence = f"\n\n{wording.say('recommend.wider_same')}"
        runtime.stream_writer({"piece": sentence})
        return wide, {**presented, "reply": before + sentence}
    if before:
        runtime.stream_writer({"piece": "\n\n"})
    after: TurnRecord = {**turn, "dialogue": presented["dialogue"]} if presented else turn
    again = await presenting.tell(after, runtime, best, wide.graph, lead=wording.say("recommend.wider"))
    return wide, {**again, "reply": f"{before}\n\n{again['reply']}" if before else again["reply"]}
