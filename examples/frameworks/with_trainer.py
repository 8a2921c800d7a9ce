"""The same with the Trainer of Hugging Face Transformers."""

from typing import Any

import torch
from lockstep.torch import Loader
from torch import nn
from torch.nn.functional import cross_entropy
from transformers import (
    Trainer,
    TrainerCallback,
    TrainerControl,
    TrainerState,
    TrainingArguments,
)


class Digits(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 10)
        )

    def forward(self, features: torch.Tensor, label: torch.Tensor) -> dict[str, torch.Tensor]:
        return {"loss": cross_entropy(self.layers(features / 16), label)}


class LockstepTrainer(Trainer):
    """Trains on a Loader's batches as they are."""

    def get_train_dataloader(self) -> Any:
        return train

    def training_step(self, model: nn.Module, inputs: Any, *more: Any) -> torch.Tensor:
        return super().training_step(model, dict(inputs), *more)


class Commit(TrainerCallback):
    """Commits each checkpoint once it is written."""

    def on_save(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> None:
        path = f"{args.output_dir}/checkpoint-{state.global_step}"
        train.commit({**train.state_dict(), "checkpoint": path})


torch.manual_seed(7)
train = Loader("train")
arguments = TrainingArguments(
    "checkpoints",
    use_cpu=True,
    ddp_backend="gloo",
    num_train_epochs=3,
    learning_rate=3e-3,
    save_steps=11,
    seed=7,
    ignore_data_skip=True,  # the Loader goes on by itself
    report_to=[],
    disable_tqdm=True,
)
model = Digits()
trainer = LockstepTrainer(model, arguments, callbacks=[Commit()])
state = train.resume()
if state is not None:
    train.load_state_dict(state)
trainer.train(resume_from_checkpoint=state["checkpoint"] if state else None)

if train.rank == 0:
    torch.save(model.layers.state_dict(), "model.pt")
train.close()
