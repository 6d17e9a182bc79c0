#!/usr/bin/env bash
# Reads every sample of a split over HTTP with stock webdataset from PyPI, in a throw-away virtual environment.
# usage: webdataset.sh URLS EXPECTED_SAMPLES        URLS: a brace pattern of shard URLs
# exit 0 read as expected, 1 not, 77 where Python, PyPI or curl is not to be had
set -euo pipefail
urls=$1 expected=$2

missing() {
    echo "WEBDATASET WAS NOT CHECKED: $1" >&2
    exit 77
}

command -v curl >/dev/null || missing "no curl on PATH, which webdataset reads URLs with"
command -v python3 >/dev/null || missing "no python3 on PATH"
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
python3 -m venv "$home/venv" 2>"$home/log" || missing "python3 -m venv failed: $(tail -1 "$home/log")"
"$home/venv/bin/pip" install -q webdataset==1.0.2 >"$home/log" 2>&1 \
    || missing "pip cannot install webdataset 1.0.2: $(tail -1 "$home/log")"

WDS_SECURE=0 "$home/venv/bin/python" - "$urls" "$expected" <<'PY'
import sys
import webdataset as wds

urls, expected = sys.argv[1], int(sys.argv[2])
seen = {}
for sample in wds.WebDataset(urls, shardshuffle=False):
    key = sample["__key__"]
    assert key not in seen, f"sample {key} came twice"
    seen[key] = sum(len(value) for name, value in sample.items() if not name.startswith("__"))
print(f"webdataset {wds.__version__} read {len(seen)} samples, {sum(seen.values())} bytes")
sys.exit(0 if len(seen) == expected else f"expected {expected} samples")
PY
