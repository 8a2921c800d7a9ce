"""Trains a small network on the handwritten digits, in as many processes as there are ranks."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from lockstep.torch import Loader

EPOCHS_SHOWN = 4


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10))


def evaluate(model: nn.Module, loader: Loader) -> float:
    """The share of right answers over all ranks; weights leave out the places that fill up a step."""
    right = torch.zeros(2, dtype=torch.float64)
    with torch.no_grad():
        for batch in loader:
            hit = model(batch["features"]).argmax(1) == batch["label"]
            right += torch.stack([(hit * batch.weight).sum(), batch.weight.sum()])
    dist.all_reduce(right)
    return (right[0] / right[1]).item()


def main() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    rank = int(os.environ["RANK"])
    with Loader("train") as train, Loader("eval") as evaluation:
        model = DistributedDataParallel(network())
        optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
        for epoch in train.epochs():
            loss = torch.zeros(())
            for batch in train:
                optimizer.zero_grad()
                loss = nn.functional.cross_entropy(model(batch["features"]), batch["label"])
                loss.backward()
                optimizer.step()
            if (epoch + 1) % EPOCHS_SHOWN == 0:
                accuracy = evaluate(model.module, evaluation)
                if rank == 0:
                    print(f"epoch {epoch + 1}: loss {loss.item():.3f}, accuracy on held-out images {accuracy:.1%}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
