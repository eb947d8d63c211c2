"""What the user could say next: ready sentences that this dialogue understands. Pure."""

from dialogue import needed, wording
from dialogue.domain import Domain
from dialogue.models import Action, TurnRecord

LISTS = (Action.RECOMMEND, Action.RESPOND_TO_REJECTION, Action.SHOW_MORE, Action.ANSWER)

MOST = 6


def suggestions(turn: TurnRecord, domain: Domain, *, web: bool) -> tuple[str, ...]:
    """At most six: first what the reply itself invites; after a list a comparison, a choice, another list, where `web`
    is asked too the catalogue alone; an example where a wish is asked for."""
    if turn["action"] in LISTS and turn.get("shown") and turn.get("offered"):
        own = ["own_only"] if web and not turn.get("own_only") else []
        said = (wording.say(f"suggest.{key}") for key in (*own, "first", "more", "something_else"))
        return (*turn["offered"], *said)[:MOST]
    if (turn["action"] in LISTS or turn.get("skipped")) and turn.get("shown"):
        compare = (wording.say("suggest.compare", word=scale.least) for scale in domain.scales)
        asked = [next(compare)] if domain.scales and len(turn["shown"]) > 1 else []
        own = ["own_only"] if web and not turn.get("own_only") else []
        return tuple([*asked, *(wording.say(f"suggest.{key}") for key in ("first", "something_else", "more", *own))])
    if turn["action"] in (Action.GREET, Action.START_OVER):
        return domain.examples[:3]
    if turn["action"] == Action.REQUEST_INFORMATION and turn.get("asked"):
        return needed.answers(turn, domain)
    return ()
