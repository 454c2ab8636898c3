#!/bin/sh
# Times the programs of Figure 3 in the given modes of the staged engine.
#
#   RADDLE=path/to/raddle benchmarks/staged/figure3.sh [MODES [LIMIT_S [NAME]]]
#
# MODES are separated by commas ("full" by default; the others are whatever -Z staged-mode= takes);
# LIMIT_S is processor time per program (60); rows go to benchmarks/runs/NAME.csv (staged_figure3),
# table and growth plot beside it. SIZES, BOUNDS and CAS narrow down the indexer:
#   SIZES="2 4 8 16 32 64" BOUNDS="run bounded natural" CAS="lock atomic"
set -eu
here=$(cd "$(dirname "$0")" && pwd)
modes=${1:-full}
limit=${2:-60}
name=${3:-staged_figure3}
sizes=${SIZES:-2 4 8 16 20 24 27 28 29 30 31 32 48 64}
bounds=${BOUNDS:-run bounded natural}
cas=${CAS:-lock atomic}
raddle=${RADDLE:-raddle}
runs=$here/../runs
programs=$(mktemp -d)
trap 'rm -r "$programs"' EXIT INT TERM

python3 "$here/generate.py" "$programs" "indexer=$(echo $sizes | tr ' ' ,)" account=11,21 synchbench=2,13
rm -f "$runs/$name.csv"

measure() { # PROPERTY FILE...
    property=$1
    shift
    [ $# -gt 0 ] || return 0
    RADDLE=$raddle python3 "$here/run_tasks.py" raddle --mode "$mode" --arguments "$arguments" --bits 64 \
        --limit "$limit" --give-up 2 --property "$property" --root "$programs" --out "$runs/$name.csv" "$@"
}

for mode in $(echo "$modes" | tr , ' '); do
    arguments="--engine staged"
    if "$raddle" verify -Z help 2>/dev/null | grep -q -e --staged-mode; then
        arguments="$arguments -Z staged-mode=$mode"
    elif [ "$mode" != full ]; then
        echo "this raddle has no -Z staged-mode: $mode left out" >&2
        continue
    fi
    set --
    for how in $cas; do
        for bound in $bounds; do
            tail=-$bound
            [ "$bound" = natural ] && tail=
            for size in $sizes; do set -- "$@" "$programs/indexer-$size-$how${tail}_true-unreach-call.c"; done
        done
        for size in $sizes; do set -- "$@" "$programs/indexer-$size-${how}_false-unreach-call.c"; done
    done
    measure unreach-call "$@"
    for property in no-data-race unreach-call; do
        measure "$property" "$programs"/synchbench-2* "$programs"/synchbench-13* \
            "$programs"/account-11* "$programs"/account-21*
    done
done
python3 "$here/figure3_table.py" "$runs/$name.csv" "$runs/$name.svg" "$limit"
