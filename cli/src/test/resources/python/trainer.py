"""A trainer for tests. Arguments: what to do, and a directory for its output."""

import os
import sys
import time
from pathlib import Path

import lockstep

what, directory = sys.argv[1], Path(sys.argv[2])
rank = os.environ["RANK"]
if what == "fail-once" and not (directory / "failed").exists():
    if rank == "1":
        (directory / "failed").touch()
        print("out of luck")
        sys.exit(3)
    time.sleep(600)
train = lockstep.Loader("test" if what == "unknown-stream" else "train")
with open(directory / f"samples-{rank}", "w") as samples:
    for epoch in train.epochs():
        for batch in train:
            print(epoch, batch.step, *batch.sample_ids, file=samples)
            samples.flush()
            if what == "hang":
                print("hanging", flush=True)
                time.sleep(600)
            if what == "raise":
                raise RuntimeError("no luck in step 0")
if what == "evaluate":
    with lockstep.Loader("eval") as evaluation:
        seen = [int(i) for batch in evaluation for i, w in zip(batch.sample_ids, batch.weight) if w]
        print("evaluated", len(seen), flush=True)
train.close()
