"""How a finished turn came about and what it has cost, in words. Pure."""

from dialogue.models import TurnView
from dialogue.ui.texts import Texts, counted, sentence
from pdgf.models import Reused, Usage


def title_of(view: TurnView, texts: Texts) -> str:
    """The line above a reply that opens its trace: how long it took, what it kept and used."""
    used, words, graph = view.usage, texts["trace"], view.graph
    nodes, tokens = len(graph.graph.get("nodes", ())), used.tokens_in + used.tokens_out
    told = [
        (used.seconds, words["seconds"].format(count=f"{used.seconds:.1f}")),
        (graph.kept and nodes, words["kept_wishes"].format(kept=graph.kept, wishes=counted(texts, "wishes", nodes))),
        (tokens, words["tokens"].format(count=f"{tokens:,}")),
        (tokens, _cost(used, texts)),
    ]
    return " · ".join([words["title"], *(said for happened, said in told if happened)])


def trace_of(view: TurnView, texts: Texts) -> list[str]:
    """How a finished turn came about, from what was stored of it; empty where nothing was looked up."""
    used, graph, words, reused = view.usage, view.graph.graph, texts["trace"], view.graph.reused
    if not (used.searches or used.comparisons or used.tokens_in or reused != Reused()):
        return []
    nodes, compared = len(graph.get("nodes", ())), reused.pairs + reused.descriptions + reused.labels
    told = [
        (nodes, "wishes", {"nodes": nodes, "edges": len(graph.get("edges", ()))}),
        (view.graph.kept and compared, "kept", {"kept": view.graph.kept, "nodes": nodes}),
        (used.searches, "searches", {"searches": used.searches}),
        (reused.searches, "searches_kept", {"searches_made": reused.searches}),
        (used.comparisons, "comparisons", {"comparisons_made": used.comparisons}),
        (compared, "comparisons_kept", {"comparisons_made": compared}),
    ]
    lines = [sentence(texts, words[name], **counts) for happened, name, counts in told if happened]
    return [*lines, *([_model_use(used, texts)] if used.tokens_in else [])]


def _model_use(used: Usage, texts: Texts) -> str:
    """What a turn has used of a language model, and what that costs where the price is known."""
    words = texts["trace"]
    tokens = f"{used.tokens_in + used.tokens_out:,}"
    said = words["model"].replace("{tokens}", tokens).replace("{cost}", _cost(used, texts))
    return sentence(texts, said, model_calls=used.agent_calls)


def _cost(used: Usage, texts: Texts) -> str:
    words = texts["trace"]
    return str(words["cost_unknown"] if used.cost is None else words["cost"].format(dollars=f"{used.cost:.4f}"))
