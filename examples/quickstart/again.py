"""The quick start's stream once more, without a model: killed half-way, then resumed by others."""

from __future__ import annotations

import os
import signal

from lockstep import Loader


def main() -> None:
    train = Loader("train")
    state = train.resume()
    if state is not None:
        train.load_state_dict(state)
    for epoch in train.epochs():
        for batch in train:
            # A trainer commits what it has written into a model checkpoint; here there is none.
            if batch.step == len(train) - 1:
                train.commit(batch.state_dict())
            if state is None and (epoch, batch.step) == (7, len(train) // 2):
                os.kill(os.getpid(), signal.SIGKILL)
    train.close()


if __name__ == "__main__":
    main()
