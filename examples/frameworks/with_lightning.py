"""The same with PyTorch Lightning."""

from typing import Any

import torch
from lightning.pytorch import Callback, LightningModule, Trainer
from lockstep.torch import Loader, TorchBatch
from torch import nn
from torch.nn.functional import cross_entropy

SAVE_EVERY = 11  # steps


class Digits(LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 10)
        )

    def training_step(self, batch: TorchBatch, index: int) -> torch.Tensor:
        return cross_entropy(self.layers(batch["features"] / 16), batch["label"])

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.AdamW(self.parameters(), lr=3e-3)


class Lockstep(Callback):
    """Saves and commits every few steps."""

    def __init__(self, train: Loader) -> None:
        self.train = train

    def on_train_batch_start(
        self, trainer: Trainer, module: LightningModule, batch: TorchBatch, index: int
    ) -> None:
        # Lightning keeps no states of random generators, so each step begins with its own.
        torch.manual_seed(int(batch.generator.integers(2**63)))

    def on_train_batch_end(
        self, trainer: Trainer, module: LightningModule, out: Any, batch: TorchBatch, index: int
    ) -> None:
        if (batch.step + 1) % SAVE_EVERY == 0:
            state = batch.state_dict()
            path = f"checkpoints/{state['epoch']}-{state['step']}.ckpt"
            trainer.save_checkpoint(path)
            self.train.commit({**state, "checkpoint": path})


torch.manual_seed(7)
train = Loader("train")
model = Digits()
trainer = Trainer(
    accelerator="cpu",
    strategy="ddp",
    devices=train.world_size,
    max_epochs=3,
    callbacks=[Lockstep(train)],
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
)
state = train.resume()
trainer.fit(model, train, ckpt_path=state["checkpoint"] if state else None)

if trainer.is_global_zero:
    torch.save(model.layers.state_dict(), "model.pt")
train.close()
