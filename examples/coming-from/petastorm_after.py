"""Trains on Parquet files with Lockstep."""

import torch
from lockstep.torch import Loader
from torch import nn
from torch.nn.functional import cross_entropy

torch.manual_seed(7)
train = Loader("train")

model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for epoch in train.epochs():
    for batch in train:
        (values, _), y = batch["features"], batch["label"]
        x = values.reshape(-1, 64)
        loss = cross_entropy(model(x / 16), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {len(train)} steps, loss {loss.item():.3f}")
train.close()
