#!/usr/bin/env bash
# Downloads an epoch in two halves with curl, compares it with a whole download, and counts its samples with tar.
# usage: TARPON_URL=http://host:port curl.sh [DATASET [VERSION [SPLIT [SEED [EPOCH]]]]]        defaults: demo v1 train 0 0
set -euo pipefail
url=${TARPON_URL:?set TARPON_URL to the address of the gateway, such as http://127.0.0.1:7070}
# One rank of one: the whole split. The version is pinned, so that both halves are of the same bytes.
url=$url/e/${1:-demo}/${2:-v1}/${3:-train}/${4:-0}/${5:-0}/0of1.tar
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

head=$(curl -fsSI "$url" | tr -d '\r')
header() { sed -n "s/^$1: //ip" <<<"$head"; }
length=$(header content-length) samples=$(header tarpon-samples)

# A download that ended half-way is continued with -C -.
curl -fsS -r "0-$((length / 2))" -o "$folder/epoch.tar" "$url"
curl -fsS -C - -o "$folder/epoch.tar" "$url"

here=$(sha256sum <"$folder/epoch.tar")
whole=$(curl -fsS "$url" | sha256sum)
[ "$here" = "$whole" ] || { echo "the continued download is not the whole one" >&2; exit 1; }

# Members of one sample follow each other and have one name up to the first dot behind the last slash.
counted=$(tar -tf "$folder/epoch.tar" | sed -E 's,^((.*/)?[^./]*)\..*,\1,' | uniq | wc -l)
tar -tf "$folder/epoch.tar" | sed -n 1,4p
echo "$length bytes, sha256 ${here%% *}, $counted samples of $samples"
[ "$counted" -eq "$samples" ]
