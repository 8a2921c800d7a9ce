"""Trains on MDS shards with Mosaic Streaming."""

import torch
from streaming import StreamingDataset
from torch import nn
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader

torch.manual_seed(7)
dataset = StreamingDataset(
    local="mds/train", shuffle=True, shuffle_seed=7, batch_size=32, num_canonical_nodes=1
)
train = DataLoader(dataset, batch_size=32, drop_last=True)

model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for epoch in range(3):
    for batch in train:
        x, y = batch["features"], batch["label"]
        loss = cross_entropy(model(x / 16), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {len(train)} steps, loss {loss.item():.3f}")
