#!/usr/bin/env bash
# Builds the image of a service on a base of Debian packages, runs it without rights and asks it for its health and metrics.
#
#   k8s/images/try.sh [SERVICE] [jvm|native]      loader-gateway, jvm
#
# Needs Debian or Ubuntu, buildah, curl and what `./tarpon build` (or `build --native`) leaves. Exit status 0: it ran;
# 1: it was built or run, and something was wrong; 77: it was not tried, and the last line says why.
set -euo pipefail
service=${1:-loader-gateway} form=${2:-jvm}
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
product=$(readlink -f "${TARPON_PRODUCT:-$here/../..}")
target=$product/$service/target

not_tried() {
    printf '\n*** NO IMAGE WAS BUILT AND NONE WAS RUN: %s ***\n' "$*" >&2
    exit 77
}
wrong() {
    printf '\n*** WRONG: %s ***\n' "$*" >&2
    exit 1
}

for tool in buildah curl apt-get dpkg-deb; do
    command -v "$tool" >/dev/null || not_tried "there is no $tool here"
done
case $form in
    jvm) [ -f "$target/quarkus-app/quarkus-run.jar" ] || not_tried "$service is not built: ./tarpon build" ;;
    native) [ -x "$target/$service-runner" ] || not_tried "$service has no executable: ./tarpon build --native $service" ;;
    *) not_tried "the form is jvm or native, not '$form'" ;;
esac
[ -f "$target/bom.json" ] || not_tried "$target/bom.json is missing: ./tarpon build"
java=${JAVA_HOME:-}
if [ -z "$java" ] && command -v java >/dev/null; then java=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")"); fi
if [ "$form" = jvm ] && ! grep -q '^JAVA_VERSION="25' "$java/release" 2>/dev/null; then
    not_tried "JAVA_HOME names no JDK 25, which the base takes its runtime from"
fi

work=$(mktemp -d)
# Storage of its own: nothing of it stays, and nothing of others is touched.
images() { buildah --storage-driver vfs --root "$work/storage" --runroot "$work/run" "$@"; }
running=''
clean_up() {
    # The whole group: buildah alone would leave what it runs.
    if [ -n "$running" ]; then
        kill -- "-$running" 2>/dev/null || true
        wait "$running" 2>/dev/null || true
    fi
    rm -rf "$work" 2>/dev/null || buildah unshare rm -rf "$work" || true
}
trap clean_up EXIT

if ! images from scratch >"$work/said" 2>&1; then not_tried "buildah cannot work here: $(tail -n 1 "$work/said")"; fi

echo "base of Debian packages"
mkdir -p "$work/packages" "$work/base"/{etc,tmp}
chmod 1777 "$work/base/tmp"
(cd "$work/packages" && apt-get download base-files libc6 libc-bin libgcc-s1 libstdc++6 zlib1g tzdata >"$work/said" 2>&1) \
    || not_tried "apt-get gives no packages: $(tail -n 1 "$work/said")"
for package in "$work"/packages/*.deb; do dpkg-deb --extract "$package" "$work/base"; done
echo 'hosts: files dns' >"$work/base/etc/nsswitch.conf"
printf 'FROM scratch\nCOPY . /\nENV PATH=/opt/java/bin:/usr/bin:/bin\n' >"$work/Containerfile.base"
if [ "$form" = jvm ]; then
    mkdir -p "$work/base/opt"
    cp -a "$(readlink -f "$java")" "$work/base/opt/java"
    rm -rf "$work/base/opt/java"/{jmods,lib/src.zip,demo,man}
fi
images build --isolation chroot -q -f "$work/Containerfile.base" -t tarpon-base "$work/base" >"$work/said" 2>&1 \
    || not_tried "buildah cannot build here: $(tail -n 1 "$work/said")"

echo "image of $service, $form"
images build --isolation chroot -q -f "$here/Containerfile.$form" --build-arg BASE=localhost/tarpon-base \
    --build-arg SERVICE="$service" -t "tarpon/$service" "$target" >"$work/said" 2>&1 || wrong "no image: $(tail -n 5 "$work/said")"
user=$(images inspect --format '{{.OCIv1.Config.User}}' "tarpon/$service")
[ "$user" = 1001:1001 ] || wrong "its user is '$user'"
title=$(images inspect --format '{{index .OCIv1.Config.Labels "org.opencontainers.image.title"}}' "tarpon/$service")
[ "$title" = "tarpon $service" ] || wrong "its title is '$title'"

container=$(images from "localhost/tarpon/$service")
port=$((20000 + RANDOM % 10000))
mkdir -p "$work/scratch" "$work/secret"
chmod 1777 "$work/scratch"
chmod 755 "$work" "$work/secret"
head -c 24 /dev/urandom | base64 >"$work/secret/token"
chmod 444 "$work/secret/token"
arguments=()
if [ "$form" = native ]; then arguments=(-Xmx192m -XX:MaxDirectMemorySize=128m); fi
settings=(TARPON_TOKEN_FILE=/etc/tarpon/token/token TARPON_STORE_KIND=directory TARPON_STORE_DIRECTORY_ROOT=/tmp/store
    TARPON_METADATA_DIR=/tmp/metadata TARPON_BLOCK_DIR=/tmp/block TARPON_BLOCK_CAPACITY=64MiB TARPON_GATEWAY_DIR=/tmp/gateway
    TARPON_INGEST_SPOOL_DIR=/tmp/spool QUARKUS_HTTP_PORT="$port" JDK_JAVA_OPTIONS='-Xmx192m -XX:MaxDirectMemorySize=128m')
environment=()
for setting in "${settings[@]}"; do
    # A service stops at settings that it does not know.
    case $service:$setting in
        *:TARPON_TOKEN*|*:TARPON_STORE*|*:QUARKUS*|*:JDK*|metadata-svc:TARPON_METADATA*|block-svc:TARPON_BLOCK*) ;;
        loader-gateway:TARPON_GATEWAY*|ingest-fn:TARPON_INGEST*) ;;
        *) continue ;;
    esac
    environment+=(--env "$setting")
done
entry=()
while IFS= read -r word; do entry+=("$word"); done \
    < <(images inspect --format '{{range .OCIv1.Config.Entrypoint}}{{println .}}{{end}}' "tarpon/$service" | sed '/^$/d')

echo "running as user 1001"
setsid buildah --storage-driver vfs --root "$work/storage" --runroot "$work/run" \
    run --isolation chroot --user 1001:1001 --cap-drop ALL "${environment[@]}" \
    --volume "$work/scratch:/tmp" --volume "$work/secret:/etc/tarpon/token:ro" \
    "$container" -- "${entry[@]}" ${arguments[@]+"${arguments[@]}"} >"$work/log" 2>&1 &
running=$!
for ((second = 1; ; second++)); do
    if curl -fsS -m 2 "http://127.0.0.1:$port/q/health/live" >"$work/live" 2>/dev/null; then break; fi
    kill -0 "$running" 2>/dev/null || { tail -n 20 "$work/log" >&2; wrong "it ended"; }
    [ "$second" -lt 90 ] || { tail -n 20 "$work/log" >&2; wrong "not alive after 90 s"; }
    sleep 1
done
metrics=$(curl -fsS -m 5 "http://127.0.0.1:$port/q/metrics" | grep -c '^tarpon_') || wrong "no metrics"
echo "it ran: alive after $second s, $metrics metrics of its own: $(grep -m 1 'started in' "$work/log" || true)"
