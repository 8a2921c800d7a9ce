"""Trains on Parquet files with PyTorch's DataLoader."""

import glob

import pyarrow.parquet as pq
import torch
from torch import nn
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(7)
table = pq.read_table(sorted(glob.glob("data/train/*.parquet")))
features = torch.from_numpy(table["features"].combine_chunks().flatten().to_numpy())
label = torch.from_numpy(table["label"].to_numpy())
dataset = TensorDataset(features.reshape(-1, 64), label)
train = DataLoader(dataset, batch_size=32, shuffle=True, drop_last=True)

model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for epoch in range(3):
    for x, y in train:
        loss = cross_entropy(model(x / 16), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {len(train)} steps, loss {loss.item():.3f}")
