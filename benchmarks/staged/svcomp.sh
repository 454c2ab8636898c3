#!/bin/sh
# Measures a checker on the thread tasks of an sv-benchmarks checkout (the old layout with verdicts
# in the file names, as in symbooglix/sv-benchmarks). Fetches nothing.
#
#   benchmarks/staged/svcomp.sh CHECKOUT/c TOOL SET [LIMIT_S [NAME]]
#
# TOOL: raddle, cbmc or deagle (see run_tasks.py for the environment variables they are found by).
# SET:  threads       the tasks of pthread, pthread-atomic, pthread-ext and pthread-lit (106)
#       threads-false those of them that have a violation (30)
#       threads-true  the others (76)
#       wmm-sample    every fifteenth task of pthread-wmm (60)
#       wmm           all of pthread-wmm (898)
# Rows are appended to benchmarks/runs/NAME.csv (by default staged_TOOL_SET).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$1
tool=$2
tasks=$3
limit=${4:-30}
out=$here/../runs/${5:-staged_${tool}_$tasks}.csv
mode=
arguments=
if [ "$tool" = raddle ]; then
    mode=${MODE:-full}
    arguments=${RADDLE_ARGS:---engine staged}
fi
threads() { (cd "$root" && LC_ALL=C ls pthread/*.i pthread-atomic/*.i pthread-ext/*.i pthread-lit/*.i | grep -e "$1"); }
wmm() { (cd "$root/pthread-wmm" && LC_ALL=C ls | grep -e unreach-call.*[.]i'$' | sed 's,^,pthread-wmm/,'); }
case $tasks in
threads) list=$(threads unreach-call) ;;
threads-false) list=$(threads _false-unreach-call) ;;
threads-true) list=$(threads _true-unreach-call) ;;
wmm-sample) list=$(wmm | awk 'NR % 15 == 1') ;;
wmm) list=$(wmm) ;;
*) echo "no such set: $tasks" >&2; exit 64 ;;
esac
for task in $list; do echo "$root/$task"; done |
    xargs -n 2000 python3 "$here/run_tasks.py" "$tool" --mode "$mode" --arguments "$arguments" --limit "$limit" \
        --root "$root" --out "$out"
python3 "$here/run_tasks.py" --limit "$limit" --summary "$out"
