#!/usr/bin/env bash
# The studies behind the table of graph classification. Stop it at any moment and start it again: it goes on.
# JOBS=2 results/graph.sh [WORD]: two folds at a time; with a WORD only the lines that hold it, e.g. ENZYMES.
# A study that lvc refuses, as one that does not fit into memory, is left out; anything else ends it.
set -euo pipefail
cd "$(dirname "$0")/.."
grep -v '^#' results/graph.txt | grep -e "${1:-.}" | while read -r data model trials epochs patience more; do
  status=0
  # shellcheck disable=SC2086  # several options
  .venv/bin/lvc tune graph "$data" --model "$model" --trials "$trials" --jobs "${JOBS:-1}" \
    --set epochs="$epochs" --set patience="$patience" $more --out results/graph.jsonl < /dev/null || status=$?
  case $status in
    0) ;;
    2) echo "left out: $model on $data" >&2 ;;
    *) exit "$status" ;;
  esac
done
