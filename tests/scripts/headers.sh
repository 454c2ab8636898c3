#!/bin/sh
# Of the headers under a directory (default /usr/include) that `gcc -fsyntax-only` accepts alone, how many does the
# front end accept? Fails below 99 %. Usage: tests/scripts/headers.sh [DIRECTORY]
set -eu
cd "$(dirname "$0")/../.."
directory=${1:-/usr/include}
cargo build --release --quiet -p raddle-c --example front
target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find "$directory" -name '*.h' | sort | while read -r header; do
    if timeout 20 gcc -fsyntax-only -w -x c "$header" 2>/dev/null; then
        echo "$header"
    fi
done > "$work/accepted"
"$target/release/examples/front" --check - < "$work/accepted" > "$work/report" || true
cat "$work/report"
tail -n 1 "$work/report" | awk '{ exit !($1 * 100 >= $3 * 99) }'
