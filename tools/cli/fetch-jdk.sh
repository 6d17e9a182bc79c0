# shellcheck shell=bash
# Sourced by ../../tarpon where no JDK is found: fetches Temurin for this machine from Adoptium into the user's cache folder.
#
# TARPON_ADOPTIUM: base URL of Adoptium's API, for mirrors and tests.
#
# Nothing half is ever used: the archive is held against its SHA-256 under a temporary name, unpacked beside the place where it
# is looked for, and renamed into it. Of two at once one waits for the other, where the system has flock; where it has not, both
# fetch and one of the two stays.

adoptium=${TARPON_ADOPTIUM:-https://api.adoptium.net}
fetch_silence=60 # seconds without a byte until a download is given up

jdk_cache() {
    local home=${HOME:-/nonexistent}
    if [ "$(uname -s)" = Darwin ]; then
        printf '%s' "$home/Library/Caches/tarpon/jdk"
    else
        printf '%s' "${XDG_CACHE_HOME:-$home/.cache}/tarpon/jdk"
    fi
}

# The JDK that an earlier call left in the cache.
cached_jdk() {
    local candidate
    for candidate in "$1"/* "$1"/*/Contents/Home; do
        if is_jdk "$candidate"; then
            printf '%s' "$candidate"
            return
        fi
    done
    return 1
}

fetch_failed() {
    say "tarpon: $1"
    say "  next: $2, or $how_to_install"
    return 1
}

# `os architecture`, as Adoptium names them; fails for a machine that it builds nothing for.
jdk_platform() {
    local os architecture musl
    case "$(uname -s)" in
        Linux) os=linux ;;
        Darwin) os=mac ;;
        *) return 1 ;;
    esac
    case "$(uname -m)" in
        x86_64 | amd64) architecture=x64 ;;
        aarch64 | arm64) architecture=aarch64 ;;
        *) return 1 ;;
    esac
    if [ "$os" = linux ] && ! getconf GNU_LIBC_VERSION >/dev/null 2>&1; then
        for musl in /lib/ld-musl-*; do
            if [ -e "$musl" ]; then os=alpine-linux; fi
        done
    fi
    printf '%s %s' "$os" "$architecture"
}

# get URL FILE [shown]: afterwards the file is there whole as far as the server said; otherwise `got` says what came instead.
get() {
    local status=0 words=-sS
    if command -v curl >/dev/null 2>&1; then
        if [ "${3:-}" = shown ] && [ "$stderr_tty$quiet" = 10 ]; then words='-#'; fi
        got=$(curl "$words" -L --connect-timeout 20 --speed-limit 1 --speed-time "$fetch_silence" -o "$2" -w '%{http_code}' "$1") || status=$?
        case "$status:$got" in
            0:2??) return 0 ;;
            0:*) got="the server answered $got" ;;
            6:* | 7:*) got="no way to the server (is there a network, or a proxy to name in https_proxy?)" ;;
            18:*) got="the download was cut" ;;
            28:*) got="nothing came for a long time" ;;
            *) got="curl failed with status $status" ;;
        esac
    elif command -v wget >/dev/null 2>&1; then
        wget -q -t 2 -T "$fetch_silence" -O "$2" "$1" || status=$?
        case $status in
            0) return 0 ;;
            8) got="the server refused" ;;
            *) got="no way to the server, or the download was cut (is there a network, or a proxy to name in https_proxy?)" ;;
        esac
    else
        got="neither curl nor wget is installed"
    fi
    return 1
}

sha256_of() {
    if command -v sha256sum >/dev/null 2>&1; then
        sha256sum <"$1"
    elif command -v shasum >/dev/null 2>&1; then
        shasum -a 256 <"$1"
    else
        openssl dgst -sha256 -r <"$1"
    fi | sed 's/[^0-9a-f].*//'
}

# A field of the answer's object "package", which holds no other object. That is no JSON parser, and need not be one: what it
# yields is used only if it looks like a checksum, a URL, a name, a number, and the archive only if its SHA-256 is that one, so
# that an answer of another shape is an error and never another JDK.
package_field() {
    tr -d '\n\r' <"$1" | sed -n 's/.*"package"[[:space:]]*:[[:space:]]*{\([^}]*\)}.*/\1/p' \
        | sed -n "s/.*\"$2\"[[:space:]]*:[[:space:]]*\"\{0,1\}\([^\",]*\).*/\1/p" | sed 's/[[:space:]]*$//'
}

# Prints the fetched JDK's folder. Runs in a shell of its own, which tidies up when it ends.
fetch_jdk() (
    cache=$(jdk_cache)
    if ! platform=$(jdk_platform); then
        fetch_failed "no JDK $need_jdk found, and Adoptium builds none for $(uname -s) on $(uname -m)" "look for one of your system's vendor"
        exit 1
    fi
    if ! mkdir -p "$cache" 2>/dev/null || [ ! -w "$cache" ]; then
        fetch_failed "no JDK $need_jdk found, and nothing can be written into $cache to fetch one" "set XDG_CACHE_HOME to a folder that can be written"
        exit 1
    fi
    if command -v flock >/dev/null 2>&1; then
        exec 8>"$cache/lock"
        flock -n 8 || {
            note "tarpon: another tarpon fetches a JDK; waiting for its end"
            flock 8
        }
        if cached_jdk "$cache"; then exit 0; fi
        rm -rf "$cache"/.fetch.* # of those that were killed
    fi
    work=$(mktemp -d "$cache/.fetch.XXXXXX") || exit 1
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM HUP
    fetch_into "$cache" "$work" "${platform% *}" "${platform#* }"
)

# fetch_into CACHE WORK OS ARCHITECTURE
fetch_into() {
    local question answer=$2/answer.json archive=$2/archive.tar.gz link name checksum size have top home
    question="$adoptium/v3/assets/latest/$need_jdk/hotspot?architecture=$4&image_type=jdk&os=$3&vendor=eclipse"
    if ! get "$question" "$answer"; then
        fetch_failed "no JDK $need_jdk found, and none can be fetched: $got: $question" "try again"
        return
    fi
    link=$(package_field "$answer" link) name=$(package_field "$answer" name)
    checksum=$(package_field "$answer" checksum) size=$(package_field "$answer" size)
    if ! [[ $checksum =~ ^[0-9a-f]{64}$ && $link =~ ^https?://[A-Za-z0-9./:%_+~=-]+$ && $name =~ ^[A-Za-z0-9._+-]+\.tar\.gz$ && $size =~ ^[0-9]{1,12}$ ]] \
        || [[ $link == http://* && $adoptium != http://* ]]; then
        fetch_failed "no JDK $need_jdk found, and Adoptium's answer names none: $question" "see what it answers"
        return
    fi
    note "tarpon: no JDK $need_jdk found; fetching Temurin ($name, $(((size + 999999) / 1000000)) MB) into $1. --offline or TARPON_JDK=off forbids that"
    if ! get "$link" "$archive" shown; then
        fetch_failed "no JDK could be fetched: $got: $link" "try again"
        return
    fi
    have=$(($(wc -c <"$archive")))
    if [ "$have" -ne "$size" ]; then
        fetch_failed "no JDK could be fetched: $have bytes came instead of $size: $link" "try again"
        return
    fi
    have=$(sha256_of "$archive")
    if [ "$have" != "$checksum" ]; then
        fetch_failed "the JDK that was fetched is not what Adoptium names: its SHA-256 is ${have:-unknown}, not $checksum: $link" \
            "ask who runs the proxy or mirror between, try again"
        return
    fi
    mkdir "$2/unpacked"
    if ! tar -xzf "$archive" -C "$2/unpacked" || ! home=$(cached_jdk "$2/unpacked"); then
        fetch_failed "$name cannot be unpacked into $1, or holds no JDK $need_jdk" "see that its disk is not full, try again"
        return
    fi
    top=${home#"$2/unpacked/"}
    top=${top%%/*}
    # Whoever was faster, without flock, has put the same there.
    if cached_jdk "$1"; then return; fi
    rm -rf "${1:?}/${top:?}"
    mv "$2/unpacked/$top" "$1/$top"
    cached_jdk "$1"
}
