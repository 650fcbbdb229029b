"""Graphs to learn from: generated ones; data sets and splits come with the experiments."""
