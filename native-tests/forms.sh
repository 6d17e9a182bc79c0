#!/usr/bin/env bash
# Throughput of the services as executables beside the same services in JVMs: reads from local and from far disks and
# sharding, by `tarpon bench`, both forms in turn. The executables are built before: ./tarpon build --native.
# usage: forms.sh [--passes N] [options of bench, such as --quick or --rounds 3]
set -euo pipefail
product=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
command -v python3 >/dev/null || { echo "forms.sh adds up with python3, which is not on PATH" >&2; exit 1; }
passes=2
if [ "${1:-}" = --passes ]; then
    passes=${2:?--passes needs a number}
    shift 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for ((pass = 1; pass <= passes; pass++)); do
    for form in jvm native; do
        echo "pass $pass of $passes, $form" >&2
        TARPON_FORM=$form "$product/tarpon" bench read/hot read/random read/remote ingest/files --json --quiet "$@" \
            >"$work/$form-$pass.json"
    done
done

python3 - "$work" "$passes" <<'PY'
import json, statistics, sys

work, passes = sys.argv[1], int(sys.argv[2])
figures = {}
for form in ("jvm", "native"):
    for number in range(1, passes + 1):
        document = json.load(open(f"{work}/{form}-{number}.json"))
        if document["failed"]:
            sys.exit(f"{form}: {document['failed']}")
        for row in document["rows"]:
            figures.setdefault((row["name"], row["unit"]), {}).setdefault(form, []).append((row["tarpon"], row["ratio"]))
machine = document["machine"]
print(f"{machine['cores']} cores, {machine['cpu']}, kernel {machine['kernel']}; JDK {document['versions']['jdk']}; "
      f"medians of {passes} passes\n")
print("| what | unit | JVM | native | native / JVM | JVM / reference | native / reference |")
print("|---|---|---|---|---|---|---|")
for (name, unit), forms in figures.items():
    jvm, native = (statistics.median(value for value, _ in forms[form]) for form in ("jvm", "native"))
    ratios = [statistics.median(ratio for _, ratio in forms[form] if ratio is not None) if forms[form][0][1] is not None
              else None for form in ("jvm", "native")]
    shown = " | ".join("-" if ratio is None else f"{ratio:.3g}" for ratio in ratios)
    print(f"| `{name}` | {unit} | {jvm:.4g} | {native:.4g} | {native / jvm:.3g} | {shown} |")
PY
