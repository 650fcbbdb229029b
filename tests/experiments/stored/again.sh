#!/usr/bin/env bash
# Store the reports anew, after a change of their form that is wanted; then read the difference.
cd "$(dirname "$0")" || exit
for one in markdown:md latex:tex html:html; do lvc report results.jsonl --format "${one%:*}" --out "report.${one#*:}"; done
lvc report results.jsonl --best --out best.md
lvc report results.jsonl --against gcn --out against.md
lvc report results.jsonl --settings --out settings.md
lvc report runtime.jsonl --runtime --out runtime.md
