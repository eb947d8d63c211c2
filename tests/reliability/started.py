"""The application in a process of its own, as whoever runs it starts it."""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import httpx

ROOT = Path(__file__).parent.parent.parent
APP = ROOT / "app.py"
PATIENCE = 120.0  # seconds until it answers
READY = "ready: "  # what its log says of each domain, and how many of those there are
DOMAINS = 4


@dataclass(frozen=True)
class Started:
    """A running server: where it is, what it logs, and how long it took until it answered."""

    url: str
    pid: int
    log: Path
    seconds: float

    def resident(self) -> float:
        """Its memory in MB."""
        return _status(self.pid, "VmRSS") / 1024

    def threads(self) -> int:
        """How many threads it has."""
        return _status(self.pid, "Threads")

    def descriptors(self) -> int:
        """How many files and sockets it holds open."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def worked(self) -> float:
        """Seconds of work so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def started(
    data: Path,
    settings: Mapping[str, str] = MappingProxyType({}),
    *,
    warm: bool = True,
    program: Path = APP,
    root: Path = ROOT,
) -> AsyncIterator[Started]:
    """Serve over a data folder with settings of the environment; where `warm`, with every domain open. `root` is the
    folder that the program finds its packages in."""
    data.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 nothing else waits
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PDGF_", "OPENAI_", "GRADIO_"))}
    own = {"PDGF_DATA_DIR": str(data), "GRADIO_SERVER_PORT": str(port), "PYTHONPATH": str(root)}
    steady = {"HF_HUB_OFFLINE": "1", "PYTHONUNBUFFERED": "1"}
    log, begun = data.with_suffix(".log"), time.perf_counter()
    with log.open("wb") as told:
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(program), env={**kept, **steady, **own, **settings}, stdout=told, stderr=told,
            cwd=data,
        )  # fmt: skip
    try:
        url = f"http://127.0.0.1:{port}"
        await _answering(url, process, log)
        running = Started(url, process.pid, log, time.perf_counter() - begun)
        while warm and log.read_text(errors="replace").count(READY) < DOMAINS:  # noqa: ASYNC110 another process
            await asyncio.sleep(0.1)
        yield running
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.wait()


async def _answering(url: str, process: asyncio.subprocess.Process, log: Path) -> None:
    async with asyncio.timeout(PATIENCE), httpx.AsyncClient(trust_env=False) as client:
        while True:
            if process.returncode is not None:
                raise RuntimeError(log.read_text(errors="replace")[-2000:])  # noqa: ASYNC240 as above
            try:
                if (await client.get(f"{url}/healthz")).status_code == 200:
                    return
            except httpx.TransportError:
                await asyncio.sleep(0.05)


def _status(pid: int, name: str) -> int:
    rows = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(rows[name].split()[0])
