#!/usr/bin/env bash
# Figures of the main job beside GNU tar in the same run, with the machine's facts. Everything happens in a throw-away folder.
# usage: numbers.sh [--big]      --big: instead, shard and read back 5 GiB, and print each service's peak memory
set -euo pipefail
product=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
command -v python3 >/dev/null || { echo "numbers.sh makes its files with python3, which is not on PATH" >&2; exit 1; }
work=$(mktemp -d)
export TARPON_HOME=$work/state
trap '"$product/tarpon" down --quiet >/dev/null 2>&1 || true; rm -rf "$work"' EXIT

now() { date +%s.%N; }
field() { python3 -c 'import json,sys; d=json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"; }
calc() { python3 -c "print(f'{$1:.2f}')"; }

make_tree() { # folder, files, mean bytes
    python3 - "$@" <<'PY'
import os, random, sys
folder, files, mean = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(7)
noise = os.urandom(4 << 20)
for i in range(files):
    home = f"{folder}/class-{i % 100:03d}"
    if i < 100:
        os.makedirs(home)
    size = random.randint(mean // 2, mean * 3 // 2)
    at = random.randrange(len(noise) - size) if size < len(noise) else 0
    with open(f"{home}/{i:07d}.jpg", "wb") as out:
        out.write(noise[at:at + size])
PY
}

# Seconds that shard-fn spent on the shards of one version, from its log.
span() { sed -n "s|.*shard sealed shard=$1/.* seconds=\([0-9.]*\) .*|\1|p" "$TARPON_HOME/logs/shard-fn.log" | awk '{ s += $1 } END { print s }'; }

peak_memory() {
    "$product/tarpon" status --json 2>/dev/null | field '"\n".join(str(p["pid"]) + " " + p["name"] for p in d["processes"])' \
        | while read -r pid name; do
            printf '  %-16s %s MiB\n' "$name" "$(awk '/VmHWM/ { printf "%.0f", $2 / 1024 }' "/proc/$pid/status")"
        done
}

idle_memory() {
    "$product/tarpon" status --json 2>/dev/null | field 'round(sum(p["rssBytes"] for p in d["processes"]) / 2**20)'
}

echo "machine: $(nproc) cores, $(awk '/MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo), $(sed -n 's/model name[^:]*: //p' /proc/cpuinfo | head -1), kernel $(uname -r), load $(cut -d' ' -f1 /proc/loadavg)"
"$product/tarpon" up --json >/dev/null 2>&1
echo "idle cluster: $(idle_memory) MiB resident in all"

if [ "${1:-}" != --big ]; then
    files=50000
    make_tree "$work/tree" $files 20480
    bytes=$(du -sb "$work/tree" | cut -f1)
    tar -cf "$work/warm.tar" -C "$work" tree && rm "$work/warm.tar"
    started=$(now); "$product/tarpon" ingest "$work/tree" --dataset numbers --json >"$work/first.json" 2>"$work/err"; first=$(calc "$(now) - $started")
    for round in 1 2 3; do
        started=$(now); tar -cf "$work/t.tar" -C "$work" tree; tar_seconds[round]=$(calc "$(now) - $started"); rm "$work/t.tar"
        "$product/tarpon" ingest "$work/tree" --dataset numbers --force --json >"$work/again.json" 2>>"$work/err"
        version=$(field 'd["version"]' <"$work/again.json")
        span_seconds[round]=$(span "numbers/$version")
    done
    reference=$(printf '%s\n' "${tar_seconds[@]}" | sort -n | sed -n 2p)
    shards=$(printf '%s\n' "${span_seconds[@]}" | sort -n | sed -n 2p)
    echo "$files files, $((bytes >> 20)) MiB, three alternating rounds:"
    echo "  tar -cf                          ${tar_seconds[*]} s"
    echo "  shard-fn, sum over its shards    ${span_seconds[*]} s"
    echo "  shard-fn : tar, of the medians   $(calc "$reference / $shards")   (goal 0.5)"
    echo "  end to end, first run            $first s, $(calc "$reference / $first") of tar   (goal 0.2)"
else
    make_tree "$work/big" 26214 204800
    "$product/tarpon" ingest "$work/big" --dataset big --json >"$work/big.json" 2>>"$work/err"
    "$product/tarpon" verify big --source --json 2>>"$work/err" | field '"%.2f GiB in %d shards read back, bad: %d" % (d["bytes"] / 2**30, d["shards"], len(d["bad"]))'
    echo "peak resident memory since the start (goal: no service above 512 MiB):"
    peak_memory
fi
