#!/bin/sh
# Table 1 and Figure 2 of the projection paper: every model with the plain and the projected encoding, and with the staged engine.
# Usage: table.sh RADDLE OUT.csv [SEEDS]; times are CPU seconds, limited to 100 for each run.
set -eu
raddle=$1
out=$2
seeds=${3:-20}
here=$(dirname "$0")
work=$(mktemp -d)
echo "name,depth,seed,encoding,solver,total,verdict" >"$out"

# row NAME DEPTH SEED MODEL [PARAMETERS]
row() {
    name=$1 depth=$2 seed=$3 model=$4
    shift 4
    for encoding in plain projected; do
        flag=
        [ $encoding = plain ] && flag=--no-projection
        "$raddle" verify "$model" "$@" --engine project --property unreach-call --depth "$depth" --bounded-only \
            --statistics --cpu-limit 100s --timeout 400s --memory 6G $flag >"$work/out" 2>"$work/err" || true
        verdict=$(tail -n 1 "$work/out" | sed 's/verdict: //; s/,/;/g')
        times=$(sed -n 's/.* solver=\([0-9.]*\) total=\([0-9.]*\) .*/\1,\2/p' "$work/err")
        echo "$name,$depth,$seed,$encoding,${times:-,},$verdict" >>"$out"
    done
}

# staged NAME SEED MODEL [PARAMETERS]
staged() {
    name=$1 seed=$2 model=$3
    shift 3
    LC_ALL=C bash -c 'TIMEFORMAT="%U"; time "$@"' - "$raddle" verify "$model" "$@" --engine staged --property unreach-call \
        --cpu-limit 100s --timeout 400s --memory 6G >"$work/out" 2>"$work/err" || true
    verdict=$(tail -n 1 "$work/out" | sed 's/verdict: //; s/,/;/g')
    echo "$name,,$seed,staged,,$(tail -n 1 "$work/err"),$verdict" >>"$out"
}

row "Indexer 2" 10 "" "$here/indexer.rad" --param n=2
staged "Indexer 2" "" "$here/indexer.rad" --param n=2
row "Indexer 4" 15 "" "$here/indexer.rad" --param n=4
staged "Indexer 4" "" "$here/indexer.rad" --param n=4
# One step more than in the paper, with which the property is looked at.
for n in 5 7 10 12 15; do
    row "DPhil $n" 11 "" "$here/dining_philosophers.rad" --param n=$n
    staged "DPhil $n" "" "$here/dining_philosophers.rad" --param n=$n
done
for n in 4 5 6 7 8; do
    seed=1
    while [ $seed -le "$seeds" ]; do
        python3 "$here/litmus.py" $n $seed sat >"$work/litmus.rad"
        row "Litmus $n" 20 $seed "$work/litmus.rad"
        [ $seed -le 3 ] && staged "Litmus $n" $seed "$work/litmus.rad"
        seed=$((seed + 1))
    done
done
for depth in 30 60 70 90 100; do
    row "FSys 5" $depth "" "$here/file_system.rad" --param n=5
done
staged "FSys 5" "" "$here/file_system.rad" --param n=5
python3 "$here/litmus.py" 5 1 unsat >"$work/litmus.rad"
for depth in 8 12 16 20 24 27; do
    row "Litmus 5 unsat" $depth 1 "$work/litmus.rad"
done
rm -r "$work"
