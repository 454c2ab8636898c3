#!/bin/sh
# Random programs by csmith: `raddle run` must print what gcc -O0 prints.
# Usage: tests/scripts/csmith.sh [COUNT [FIRST_SEED]]; programs that do not end natively within 0.2 s are left out.
# Needs csmith and its headers (Debian: csmith, libcsmith-dev). Programs that differ are kept in the directory named.
set -eu
cd "$(dirname "$0")/../.."
count=${1:-10}
seed=${2:-1}
headers=${CSMITH_HEADERS:-/usr/include/csmith}
cargo build --release --quiet --bin raddle
target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
work=$(mktemp -d)
same=0
different=0
while [ "$((same + different))" -lt "$count" ]; do
    program=$work/$seed.c
    csmith --seed "$seed" > "$program"
    if gcc -O0 -w -I"$headers" "$program" -o "$work/native" 2> /dev/null &&
        timeout 0.2 "$work/native" > "$work/wanted" 2> /dev/null; then
        timeout 300 "$target/release/raddle" run --seed 0 --property none -I"$headers" "$program" > "$work/found" 2> "$work/messages" || true
        if cmp -s "$work/wanted" "$work/found"; then
            same=$((same + 1))
            rm "$program"
        else
            different=$((different + 1))
            echo "seed $seed differs: $program"
        fi
    else
        rm "$program"
    fi
    seed=$((seed + 1))
done
echo "$same of $((same + different)) the same"
[ "$different" -eq 0 ] && rm -r "$work"
