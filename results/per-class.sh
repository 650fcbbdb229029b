#!/usr/bin/env bash
# Data sets under the protocol per-class with the settings that were chosen under random; a search of its own has it on the three
# web graphs only (vertex.txt). Stop it at any moment and start it again: it goes on. JOBS=2 results/per-class.sh [WORD] as vertex.sh.
# What lvc refuses, as settings that no study chose, is left out; anything else ends it.
set -euo pipefail
cd "$(dirname "$0")/.."
grep -v '^#' results/per-class.txt | while read -r data baselines; do
  for model in sgn-bf sgn-df $baselines; do
    echo "$data $model"
  done
done | grep -e "${1:-.}" | xargs -P "${JOBS:-1}" -L 1 bash -c '
  .venv/bin/lvc train vertex "$0" --model "$1" --protocol per-class --as-in results/vertex.jsonl --out results/vertex.jsonl
  case $? in
    0) ;;
    2) echo "left out: $1 on $0" >&2 ;;
    *) exit 255 ;; # no further ones
  esac'
