#!/usr/bin/env bash
# Fails on a test that was skipped and is not named in skips.txt, and where no test ran at all: a suite that skips is green.
# usage: skips.sh [--none] [--since FILE]
#   --none   no skip is allowed, named or not
#   --since  reports older than that file are of another run
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
allowed=$here/skips.txt
since=()
while [ $# -gt 0 ]; do
    case $1 in
        --none) allowed=/dev/null ;;
        --since) since=(-newer "$2"); shift ;;
        *) echo "skips: $1?" >&2; exit 2 ;;
    esac
    shift
done

reports=$(mktemp)
trap 'rm -f "$reports"' EXIT
find "$here/.." -path '*/target/*-reports/TEST-*.xml' ${since[@]+"${since[@]}"} -print0 >"$reports"
[ -s "$reports" ] || { echo "skips: there is no report of a test" >&2; exit 1; }

# Surefire begins each element on a line of its own; a class that is skipped whole is a case without a method's name.
found=$(xargs -0 awk '
    function value(name,   text) {
        text = $0
        if (!sub(".* " name "=\"", "", text)) return ""
        sub("\".*", "", text)
        return text
    }
    /^ *<testcase / { cases++; class = value("classname"); method = value("name"); if (method == class) method = "" }
    /^ *<skipped/   { skipped++; print class (method == "" ? "" : "#" method) "\t" value("message") }
    END             { print cases + 0, skipped + 0 > "/dev/stderr" }
' <"$reports" 2>"$reports.counts")
read -r cases skipped < <(awk '{ cases += $1; skipped += $2 } END { print cases + 0, skipped + 0 }' "$reports.counts")
rm -f "$reports.counts"
[ "$cases" -gt 0 ] || { echo "skips: no test ran" >&2; exit 1; }

unnamed=0
while IFS=$'\t' read -r test reason; do
    [ -n "$test" ] || continue
    if ! awk -v test="$test" '!/^#/ && NF { if (test == $1 || index(test, $1 "#") == 1 || (index($1, "#") && index(test, $1) == 1)) hit = 1 } END { exit !hit }' "$allowed"; then
        echo "skips: $test was skipped: ${reason:-no reason given}" >&2
        unnamed=$((unnamed + 1))
    fi
done <<<"$found"
if [ "$unnamed" -gt 0 ]; then
    echo "skips: $unnamed of $cases tests were skipped and may not be" >&2
    exit 1
fi
echo "skips: $cases tests, $skipped skipped, each named"
