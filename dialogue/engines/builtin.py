"""The DialogueAgent without an LLM (METHOD 12): cue rules over the words, wishes from the PreferenceAgent's nodes.

Deterministic and English. It says only what labels, metadata and passages hold: an answer is a quoted sentence or
"I do not know", an explanation names what is met, partly met, contradicted and silent.
"""

import re
from collections.abc import AsyncIterator, Sequence

from rapidfuzz import fuzz, process

from dialogue import explanation, facts, wording
from dialogue.domain import Domain
from dialogue.engines import wishes
from dialogue.engines.cues import Act, Part, parts_of, states_a_wish
from dialogue.engines.references import References, Shown, resolve
from dialogue.models import Answer, Intent, ItemRef, Mention, QuotedSource, StateEdit, Understanding
from dialogue.ports import Question, Utterance
from dialogue.spans import Span, overlaps
from pdgf.identity import name_key
from pdgf.models import Candidate, Metadata, PreferenceGraph, RankedItem, normalised
from pdgf.ports import ItemCatalogue, PreferenceAgent, ReviewHit
from pdgf.settings import MethodConfig
from pdgf.temporal import year_constraint

READ = frozenset({Act.WISH, Act.REJECT, Act.CONTINUE})  # parts that may state a wish
SEEN_RATIO = 90.0  # of 100: a seen title with a slip of the pen
ANSWER_SCORE = 0.45  # similarity of question and passage from which the passage answers by itself
SHARED_SCORE = 0.25  # enough when they also share a content word
