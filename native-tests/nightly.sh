#!/usr/bin/env bash
# Every test there is, those too that take minutes or gigabytes: `./tarpon test --nightly`. Fails on any skip.
# Hours on two cores; 10 GiB of disk for torch and tensorflow from PyPI.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
began=$(mktemp)
trap 'rm -f "$began"' EXIT
# 10,000 connections and their files.
ulimit -n "$(ulimit -Hn)" 2>/dev/null || true
./tarpon test -Dnightly -Dingest.scale=full "$@"
native-tests/skips.sh --none --since "$began"
