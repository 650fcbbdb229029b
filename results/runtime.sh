#!/usr/bin/env bash
# The runs behind the table of seconds per epoch: the same settings for all, one thread, on a machine with nothing else to do.
set -euo pipefail
cd "$(dirname "$0")/.."
same=(--splits 1 --set epochs=60 --set patience=60 --set hidden_channels=64 --set num_layers=2 --set features=row)
for data in Cora PubMed Chameleon; do
  .venv/bin/lvc train vertex "$data" --model gcn "${same[@]}" --out results/runtime.jsonl
  for search in bfs:1 bfs:2 bfs:3 dfs:1; do
    model=sgn-bf
    [[ $search == dfs:* ]] && model=sgn-df
    .venv/bin/lvc train vertex "$data" --model "$model" --search "$search" "${same[@]}" --out results/runtime.jsonl
  done
done
.venv/bin/lvc report results/runtime.jsonl --runtime
