#!/usr/bin/env bash
# Builds the executable of each of the five services with the native-image of GRAALVM_HOME (half an hour on two cores), then
# runs every test of the whole system against them, and the demo in both forms, with its times.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./tarpon build --native
./tarpon test -pl shard-fn,loader-gateway,native-tests -am -Dtarpon.form=native \
    -Dtest=FlowTest -Dsurefire.failIfNoSpecifiedTests=false "$@"

for form in jvm native; do
    TARPON_HOME=$(mktemp -d)/state
    export TARPON_HOME
    echo "demo, $form:"
    TARPON_FORM=$form ./tarpon demo --once --json --quiet | tr -d ' \n' | sed 's/.*"seconds":{\([^}]*\)}.*/seconds: \1\n/'
    rm -rf "${TARPON_HOME%/state}"
done
