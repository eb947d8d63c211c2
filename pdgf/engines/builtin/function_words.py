"""Words that only join others are no wish by themselves, however a sentence was cut (METHOD 12). Pure.

Closed classes alone: articles, pronouns, prepositions, conjunctions, auxiliaries, particles.
"""

import re
from dataclasses import replace

from pdgf.constraints.words import either
from pdgf.engines.builtin.reading import Analysis
from pdgf.glossary import has_han
from pdgf.models import AtomKind

ENGLISH = either(
    "a|an|the|this|that|these|those|some|any|each|every|such"
    "|i|me|my|mine|myself|you|your|yours|he|him|his|she|her|hers|it|its|we|us|our|ours|they|them|their|theirs"
    "|who|whom|whose|which|what|where|when|why|how|there|here"
    "|for|of|in|on|at|by|to|from|with|without|into|onto|about|as|than|between|among|through|during|per|via|upon|toward"
    "|towards|against|until|till|within|off|out|up|down|over|under|near"
    "|and|or|but|nor|so|yet|if|then|because|although|though|while|whereas|unless|whether|since"
    "|be|am|is|are|was|were|been|being|do|does|did|have|has|had|having|can|could|will|would|shall|should|may|might"
    "|must|not|no|yes|please|also|too|just|ok|okay"
)
CHINESE = either(
    "的|地|得|了|着|过|和|与|跟|及|或|或者|以及|还|也|都|就|而|但|但是|不过|因为|所以|如果|虽然|在|从|到|向|对|对于|关于"
    "|给|为|为了|把|被|比|由|按|用|让|是|有|会|能|可以|要|想|请|我|你|您|他|她|它|我们|你们|他们|这|那|这个|那个|这些"
    "|那些|什么|哪|哪个|谁|吗|呢|吧|啊|呀|嘛|里|上|下|个|部|本|家|些"
)
_ONLY_CHINESE = re.compile("(?:" + "|".join(sorted(CHINESE, key=len, reverse=True)) + ")+")
_WORDS = re.compile(r"[^\W_]+")


def only_function_words(words: str) -> bool:
    """Whether words hold nothing that could be looked for."""
    said = _WORDS.findall(words.replace("’", "'").casefold())
    return all(_ONLY_CHINESE.fullmatch(word) if has_han(word) else word in ENGLISH for word in said)


def without_function_words(analysis: Analysis) -> Analysis:
    """The analysis without wishes that are function words alone. What names an item stays: a title may be one."""
    criteria = {atom.id for atom in analysis.atoms if atom.kind is AtomKind.CRITERION}
    gone = {n.id for n in analysis.nodes if n.atom in criteria and only_function_words(n.instantiation)}
    if not gone:
        return analysis
    kept = [node for node in analysis.nodes if node.id not in gone]
    left = {node.atom for node in kept} | {atom.id for atom in analysis.atoms} - {n.atom for n in analysis.nodes}
    return replace(
        analysis,
        atoms=tuple(atom for atom in analysis.atoms if atom.id in left),
        nodes=tuple(node.model_copy(update={"order": place}) for place, node in enumerate(kept)),
        attachments=tuple(each for each in analysis.attachments if gone.isdisjoint((each.base, each.qualifier))),
    )
