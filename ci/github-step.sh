#!/usr/bin/env bash
# The step of action.yml. Inputs are passed as environment variables and become elements of an array, so that
# the shell evaluates none of them.
set -uo pipefail

if [ -n "${INPUT_VERSION:-}" ]; then
  conform=(npx --yes "api-conformance@$INPUT_VERSION")
else
  conform=(npx --no-install conform)
fi

out=${INPUT_OUT:-reports/conformance}
args=(run "--config=${INPUT_CONFIG:-targets.yaml}" "--out=$out")
flag() { if [ -n "$2" ]; then args+=("$1=$2"); fi; }
flag --target "${INPUT_TARGET:-}"
flag --shard "${INPUT_SHARD:-}"
flag --budget "${INPUT_BUDGET:-}"
flag --max-time "${INPUT_MAX_TIME:-}"
flag --known-failures "${INPUT_KNOWN_FAILURES:-}"
flag --min-exercised "${INPUT_MIN_EXERCISED:-}"
read -r -a suites <<<"${INPUT_SUITE:-}"
for suite in ${suites[@]+"${suites[@]}"}; do args+=("--suite=$suite"); done

# The report of an earlier run is not that of this one, whatever becomes of it.
rm -f "$out/report.json"
"${conform[@]}" "${args[@]}"
status=$?

if [ -f "$out/report.json" ]; then
  cat "$out/summary.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
  cat "$out/annotations.txt"
  echo "report=$out/report.json" >>"${GITHUB_OUTPUT:-/dev/null}"
fi
echo "status=$status" >>"${GITHUB_OUTPUT:-/dev/null}"
# The last step of the action exits with the status, once the reports are uploaded.
exit 0
