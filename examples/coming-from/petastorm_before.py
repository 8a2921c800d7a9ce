"""Trains on Parquet files with Petastorm."""

import os

import torch
from petastorm import make_batch_reader
from petastorm.pytorch import BatchedDataLoader
from torch import nn
from torch.nn.functional import cross_entropy

torch.manual_seed(7)
data = "file://" + os.path.abspath("lists/train")

model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for epoch in range(3):
    steps = 0
    reader = make_batch_reader(data, reader_pool_type="dummy", seed=7 + epoch, num_epochs=1)
    with BatchedDataLoader(reader, batch_size=32, shuffling_queue_capacity=256) as train:
        for batch in train:
            x, y = batch["features"], batch["label"]
            loss = cross_entropy(model(x / 16), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps += 1
    print(f"epoch {epoch}: {steps} steps, loss {loss.item():.3f}")
