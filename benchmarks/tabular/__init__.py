"""Whole epochs of a table, from Parquet to a model's input tensors."""
