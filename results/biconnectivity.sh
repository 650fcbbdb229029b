#!/usr/bin/env bash
# The runs behind the table of cut vertices and bridges; each takes minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
for model in sgn-df gin gcn gat sgn-bf; do
  for task in cut-vertex bridge; do
    .venv/bin/lvc train biconnectivity --model "$model" --task "$task" --out results/biconnectivity.jsonl
  done
done
.venv/bin/lvc train biconnectivity --model sgn-df --task cut-vertex --set hidden_channels=16 --out results/biconnectivity.jsonl
