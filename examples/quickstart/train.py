"""A small convolutional network on 8 x 8 digits; DDP averages the gradients of the ranks."""

from __future__ import annotations

import torch
import torch.distributed as dist
from lockstep import Batch
from lockstep.torch import Loader
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel

NOISE = 0.1  # of a pixel's range


def make_model() -> nn.Module:
    return nn.Sequential(
        nn.Unflatten(1, (1, 8, 8)),
        nn.Conv2d(1, 16, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(32 * 4 * 4, 64),
        nn.ReLU(),
        nn.Linear(64, 10),
    )


def augmented(batch: Batch) -> torch.Tensor:
    """Pixels of 0 to 1 with noise, which is the same whenever the step is repeated."""
    x = batch["features"] / 16
    noise = batch.generator.standard_normal(x.shape, dtype="float32")
    return x + NOISE * torch.from_numpy(noise)


@torch.no_grad()
def accuracy(model: nn.Module, evaluation: Loader) -> float:
    """The share of held-out samples that the model names right; padding weighs 0."""
    right_of_all = torch.zeros(2, dtype=torch.float64)
    for batch in evaluation:
        right = model(batch["features"] / 16).argmax(1) == batch["label"]
        right_of_all[0] += (right * batch.weight).sum()
        right_of_all[1] += batch.weight.sum()
    dist.all_reduce(right_of_all)
    return (right_of_all[0] / right_of_all[1]).item()


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(7)
    dist.init_process_group("gloo")
    train, evaluation = Loader("train"), Loader("eval")
    model = DistributedDataParallel(make_model())
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.85)
    for epoch in train.epochs():
        for batch in train:
            loss = cross_entropy(model(augmented(batch)), batch["label"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        schedule.step()
        held_out = accuracy(model.module, evaluation)
        if train.rank == 0:
            print(f"epoch {epoch + 1}: held-out accuracy {held_out:.1%}", flush=True)
    train.close()
    evaluation.close()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
