"""What the benchmarks ask of the machine and of a turn."""

import os
from pathlib import Path

from pdgf.usage import Budget


def resident() -> float:
    """Megabytes of this process; 0 where the system does not tell."""
    told = Path("/proc/self/statm")
    return int(told.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20 if told.exists() else 0.0


def most_resident() -> float:
    """The most megabytes that this process has had since its start; 0 where the system does not tell."""
    told = Path("/proc/self/status")
    lines = told.read_text().splitlines() if told.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def ample() -> Budget:
    """A budget that no benchmark comes near."""
    return Budget(seconds=600.0, agent_calls=100_000)
