"""The Chinese half of the built-in engine (METHOD 12): its own cue rules over the word list of `pdgf.glossary`.

stretches  a narrative as stretches of one language
reading    clauses -> wishes -> atoms, nodes and what qualifies what
wording    f_v in Chinese, read back for English texts
judging    (x, f) where x or f is Chinese
"""
