"""A stand-in for an OpenAI-compatible server: real HTTP on loopback, scripted replies, every fault on demand.

    def script(request: ChatRequest) -> Reply:
        return {"label": "SUPPORT"} if request.prompt == "label_relations" else "Once upon a time."

    async with FakeOpenAI(script, faults={3: Fault.NULL_CHOICES}, latency=0.05) as server:
        model = OpenAIModel(EndpointSettings(base_url=server.base_url, model="any"))
        ...
    assert waves(server.records) == 2

It runs in a thread with an event loop of its own, so `with` works as well as `async with`, and a test may block.
"""

from tests.openai_server.faults import Fault
from tests.openai_server.records import Record, waves
from tests.openai_server.requests import Answer, ChatRequest, Reply, Script
from tests.openai_server.server import FakeOpenAI

__all__ = ["Answer", "ChatRequest", "FakeOpenAI", "Fault", "Record", "Reply", "Script", "waves"]
