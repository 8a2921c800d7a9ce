"""A training that may be killed at any moment and started again, on as many ranks or on others."""

import os

import torch
import torch.distributed as dist
from lockstep.torch import Loader, TorchBatch
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel

SAVE_EVERY = 11  # steps

torch.manual_seed(7)
dist.init_process_group("gloo")
train = Loader("train")
model = DistributedDataParallel(
    nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 10))
)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
torch.manual_seed(train.rank)  # each rank drops out other units


def save(batch: TorchBatch) -> None:
    """Rank 0 writes the checkpoint; it counts once every rank has committed its state."""
    state = batch.state_dict(rng=True)
    path = f"checkpoints/{state['epoch']}-{state['step']}.pt"
    if train.rank == 0:
        os.makedirs("checkpoints", exist_ok=True)
        saved = {"model": model.module.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save(saved, path + ".new")
        os.replace(path + ".new", path)
    train.commit({**state, "checkpoint": path})


state = train.resume()
if state is not None:
    saved = torch.load(state["checkpoint"])
    model.module.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    train.load_state_dict(state)

for epoch in train.epochs():
    for batch in train:
        loss = cross_entropy(model(batch["features"] / 16), batch["label"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (batch.step + 1) % SAVE_EVERY == 0:
            save(batch)
    print(f"rank {train.rank}, epoch {epoch}: loss {loss.item():.3f}", flush=True)

if train.rank == 0:
    torch.save(model.module.state_dict(), "model.pt")
train.close()
dist.destroy_process_group()
