"""The trainers' client of Lockstep.

from lockstep.torch import Loader        # tensors; lockstep.Loader gives numpy arrays
train = Loader("train")
for epoch in train.epochs():
    for batch in train:
        x, y = batch["features"], batch["label"]
train.close()
"""

from lockstep.batch import Batch
from lockstep.errors import (
    ConnectionLostError,
    DigestMismatchError,
    FencedError,
    ForkedError,
    LockstepError,
    NullValueError,
    ProtocolError,
    RefusedError,
    RunDoneError,
    RunFailedError,
    StartTimeoutError,
    StateMismatchError,
    UnknownStreamError,
    UsageError,
    VersionError,
)
from lockstep.finish import done
from lockstep.loader import Loader
from lockstep.notebook import open
from lockstep.streams import Streams
from lockstep.transforms import transform
from lockstep.version import __version__

__all__ = [
    "Batch",
    "ConnectionLostError",
    "DigestMismatchError",
    "FencedError",
    "ForkedError",
    "Loader",
    "LockstepError",
    "NullValueError",
    "ProtocolError",
    "RefusedError",
    "RunDoneError",
    "RunFailedError",
    "StartTimeoutError",
    "StateMismatchError",
    "Streams",
    "UnknownStreamError",
    "UsageError",
    "VersionError",
    "__version__",
    "done",
    "open",
    "transform",
]
