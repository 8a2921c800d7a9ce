"""The states of the process's random generators, as JSON."""

from __future__ import annotations

import base64
import random
import sys
from typing import Any

import numpy as np


def capture(rank: int) -> dict[str, Any]:
    """Captures the generators of Python, numpy and, if imported, torch, including GPUs."""
    states: dict[str, Any] = {"rank": rank, "python": _python(), "numpy": _numpy()}
    torch = sys.modules.get("torch")
    if torch is not None:
        states["torch"] = _encode(torch.get_rng_state().numpy().tobytes())
        if torch.cuda.is_available() and torch.cuda.is_initialized():
            states["cuda"] = [_encode(s.numpy().tobytes()) for s in torch.cuda.get_rng_state_all()]
    return states


def restore(states: dict[str, Any]) -> None:
    """Restores the generators; torch's only if imported, GPUs' only if present."""
    version, words, gauss = states["python"]
    random.setstate((version, tuple(_words(words)), gauss))
    kind, words, position, has_gauss, cached = states["numpy"]
    np.random.set_state((kind, np.array(_words(words), np.uint32), position, has_gauss, cached))
    torch = sys.modules.get("torch")
    if torch is not None and "torch" in states:
        torch.set_rng_state(_tensor(torch, states["torch"]))
        for device, state in enumerate(states.get("cuda", ())):
            if device < torch.cuda.device_count():
                torch.cuda.set_rng_state(_tensor(torch, state), device)


def start_from(generator: np.random.Generator) -> None:
    """Seeds all generators from that one."""
    first, second, third = (int(n) for n in generator.integers(0, 2**32, 3, np.uint64))
    random.seed(first)
    np.random.seed(second)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.manual_seed(third)  # seeds GPUs too


def _python() -> list[Any]:
    version, words, gauss = random.getstate()
    return [version, _encode(np.array(words, np.uint32).tobytes()), gauss]


def _numpy() -> list[Any]:
    kind, words, position, has_gauss, cached = np.random.get_state(legacy=True)
    return [
        kind,
        _encode(np.asarray(words, np.uint32).tobytes()),
        int(position),
        int(has_gauss),
        float(cached),
    ]


def _encode(state: bytes) -> str:
    return base64.b64encode(state).decode()


def _words(text: str) -> list[int]:
    return [int(word) for word in np.frombuffer(base64.b64decode(text), np.uint32)]


def _tensor(torch: Any, text: str) -> Any:
    return torch.frombuffer(bytearray(base64.b64decode(text)), dtype=torch.uint8)
