"""Whole epochs of a table, from Parquet to the tensors that a model takes."""
