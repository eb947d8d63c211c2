"""The Chinese half of the built-in DialogueAgent (METHOD 9.2, 9.6, 12): its own cue rules over `cues.zh.toml`.

parts       an utterance as parts, and what each of them does
references  which items the words point at
feedback    what they say about those items
"""
