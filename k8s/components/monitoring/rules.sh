#!/usr/bin/env bash
# Prints observability/alerts.yml as a PrometheusRule, which kustomize cannot make of a file: rules.sh | kubectl apply -f -
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
cat <<'HEAD'
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: tarpon
  namespace: tarpon
spec:
HEAD
sed 's/^./  &/' "$here/../../../observability/alerts.yml"
