#!/usr/bin/env bash
# The runs behind the table of trained networks on BREC. Stop it at any moment and start it again: it goes on.
set -euo pipefail
cd "$(dirname "$0")/.."
.venv/bin/lvc train brec --out results/trained-brec.jsonl
for search in dfs:1 bfs:2 bfs:2+dfs:1 levels:2; do
  .venv/bin/lvc train brec --search "$search" --out results/trained-brec.jsonl
done
