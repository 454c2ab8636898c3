#!/bin/sh
# Table 1 and Figure 2 of the projection paper: every model with the plain and the projected encoding, and with the staged engine.
# Usage: table.sh RADDLE OUT.csv [SEEDS]; times are CPU seconds, limited to 300 for each run. Steps are statements, as in the paper. `memory` says
# whether cells that only one thread touches are part of places ("own", as by default) or memory like any other ("all").
set -eu
raddle=$1
out=$2
seeds=${3:-20}
here=$(dirname "$0")
work=$(mktemp -d)
echo "name,depth,seed,memory,encoding,solver,total,conflicts,verdict" >"$out"

# row MEMORY NAME DEPTH SEED MODEL [PARAMETERS]
row() {
    memory=$1 name=$2 depth=$3 seed=$4 model=$5
    shift 5
    for encoding in plain projected; do
        flags=
        [ $encoding = plain ] && flags="-Z no-projection"
        [ $memory = all ] && flags="$flags -Z no-own-cells"
        "$raddle" verify "$model" "$@" --engine project --property unreach-call -Z "depth=$depth" -Z bounded-only -Z granularity=statement \
            -Z statistics --cpu-limit 300s --timeout 1500s --memory 8G $flags >"$work/out" 2>"$work/err" || true
        verdict=$(tail -n 1 "$work/out" | sed 's/verdict: //; s/,/;/g')
        times=$(sed -n 's/.* solver=\([0-9.]*\) total=\([0-9.]*\) .* conflicts=\([0-9]*\) .*/\1,\2,\3/p' "$work/err")
        echo "$name,$depth,$seed,$memory,$encoding,${times:-,,},$verdict" >>"$out"
    done
}

# staged NAME SEED MODEL [PARAMETERS]
staged() {
    name=$1 seed=$2 model=$3
    shift 3
    LC_ALL=C bash -c 'TIMEFORMAT="%U"; time "$@"' - "$raddle" verify "$model" "$@" --engine staged --property unreach-call \
        --cpu-limit 300s --timeout 1500s --memory 8G >"$work/out" 2>"$work/err" || true
    verdict=$(tail -n 1 "$work/out" | sed 's/verdict: //; s/,/;/g')
    echo "$name,,$seed,,staged,,$(tail -n 1 "$work/err"),,$verdict" >>"$out"
}

for memory in own all; do
    row $memory "Indexer 2" 10 "" "$here/indexer.rad" --param n=2
    row $memory "Indexer 4" 15 "" "$here/indexer.rad" --param n=4
done
staged "Indexer 2" "" "$here/indexer.rad" --param n=2
staged "Indexer 4" "" "$here/indexer.rad" --param n=4
# One step more than in the paper, with which the property is looked at.
for n in 5 7 10 12 15; do
    row own "DPhil $n" 11 "" "$here/dining_philosophers.rad" --param n=$n
    staged "DPhil $n" "" "$here/dining_philosophers.rad" --param n=$n
done
for n in 4 5 6 7 8; do
    seed=1
    while [ $seed -le "$seeds" ]; do
        python3 "$here/litmus.py" $n $seed sat >"$work/litmus.rad"
        row own "Litmus $n" 20 $seed "$work/litmus.rad"
        staged "Litmus $n" $seed "$work/litmus.rad"
        seed=$((seed + 1))
    done
done
python3 "$here/litmus.py" 5 1 unsat >"$work/litmus.rad"
for depth in 8 10 12 14 16 18 20 22 24 27; do
    row own "Litmus 5 unsat" $depth 1 "$work/litmus.rad"
done
staged "Litmus 5 unsat" 1 "$work/litmus.rad"
for depth in 30 60 70 90 100; do
    row own "FSys 5" $depth "" "$here/file_system.rad" --param n=5
done
staged "FSys 5" "" "$here/file_system.rad" --param n=5
for depth in 30 60 70 90 100; do
    row all "FSys 5" $depth "" "$here/file_system.rad" --param n=5
done
rm -r "$work"
