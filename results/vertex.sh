#!/usr/bin/env bash
# The studies behind the tables of vertex classification. Stop it at any moment and start it again: it goes on.
# JOBS=2 results/vertex.sh [WORD]: two at a time; with a WORD only the lines that hold it, e.g. Cora.
set -euo pipefail
cd "$(dirname "$0")/.."
grep -v '^#' results/vertex.txt | grep -e "${1:-.}" | xargs -P "${JOBS:-1}" -L 1 bash -c '
  .venv/bin/lvc tune vertex "$0" --model "$1" --protocol "$2" --trials "$3" --tuning-splits "$4" \
    --set epochs="$5" --set patience="$6" "${@:7}" --out results/vertex.jsonl'
