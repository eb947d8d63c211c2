"""The conversation around PDG-F. Checkpoints hold plain JSON only, so their reader is told to build nothing else."""

import os

# Read by langgraph when it is first imported: a checkpoint row must never be able to name code to run.
os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"
