"""The same with Hugging Face Accelerate."""

import torch
from accelerate import Accelerator
from lockstep.torch import Loader
from torch import nn
from torch.nn.functional import cross_entropy

SAVE_EVERY = 11  # steps

torch.manual_seed(7)
accelerator = Accelerator(cpu=True)
train = Loader("train", device=accelerator.device)
model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 10))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
model, optimizer = accelerator.prepare(model, optimizer)
accelerator.register_for_checkpointing(train)
torch.manual_seed(train.rank)  # each rank drops out other units

state = train.resume()
if state is not None:
    accelerator.load_state(state["checkpoint"])

for epoch in train.epochs():
    for batch in train:
        loss = cross_entropy(model(batch["features"] / 16), batch["label"])
        optimizer.zero_grad()
        accelerator.backward(loss)
        optimizer.step()
        if (batch.step + 1) % SAVE_EVERY == 0:
            state = batch.state_dict()
            path = f"checkpoints/{state['epoch']}-{state['step']}"
            accelerator.save_state(path)
            train.commit({**state, "checkpoint": path})
    accelerator.print(f"epoch {epoch}: loss {loss.item():.3f}")

if accelerator.is_main_process:
    torch.save(accelerator.unwrap_model(model).state_dict(), "model.pt")
train.close()
accelerator.end_training()
