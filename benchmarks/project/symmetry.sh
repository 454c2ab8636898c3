#!/bin/sh
# Identical threads with and without the symmetry reduction, both encodings, statement by statement.
# Usage: symmetry.sh RADDLE OUT.csv; times are CPU seconds, limited to 60.
set -eu
raddle=$1
out=$2
here=$(dirname "$0")
err=$(mktemp)
echo "n,symmetry,encoding,solver,total,conflicts,verdict" >"$out"
for n in 3 4 5 6 7; do
    for symmetry in on off; do
        for encoding in projected plain; do
            flags=
            [ $encoding = plain ] && flags="-Z no-projection"
            [ $symmetry = off ] && flags="$flags -Z no-symmetry"
            verdict=$("$raddle" verify "$here/identical.rad" --param n=$n --engine project --property unreach-call -Z granularity=statement \
                -Z statistics --cpu-limit 60s --timeout 300s $flags 2>"$err" | tail -n 1 | sed 's/verdict: //; s/,/;/g') || true
            times=$(sed -n 's/.* solver=\([0-9.]*\) total=\([0-9.]*\) .* conflicts=\([0-9]*\) .*/\1,\2,\3/p' "$err")
            echo "$n,$symmetry,$encoding,${times:-,,},$verdict" >>"$out"
        done
    done
done
rm "$err"
