#!/bin/bash
# run.sh RADDLE_BINARY OUT.csv   - verifies every program of repos.txt, one after the other, 60 s each.
# Resumable: programs that are in OUT.csv already are skipped. Answers go to OUT.csv.d/PROGRAM.{json,err,build}.
# Sources have to be in src/OWNER+NAME (git archive of the commit in repos.txt).
set -u
REACH=$(cd "$(dirname "$0")" && pwd); export REACH
R=$(realpath "$1"); OUT=$(realpath -m "$2"); D=$OUT.d; export R
T=${T:-60s}; M=${M:-4G}; X=${X:-}     # X: further options, such as --all-violations; ONLY="a b": only these programs
mkdir -p "$D"
[ -s "$OUT" ] || echo 'repo,commit,program,lines,files,build,seconds,max_rss_mb,rc,verdict,violated_property,proved,violated,open,crash_or_limit,refused,main_reasons_open' > "$OUT"
while IFS=$'\t' read -r repo commit prog prep args; do
  case "$repo" in ''|\#*) continue;; esac
  case " ${ONLY:-$prog} " in *" $prog "*) ;; *) continue;; esac
  cut -d, -f3 "$OUT" | grep -qxF -- "$prog" && continue
  dir=$REACH/src/${repo/\//+}
  cd "$dir" || { echo "no $dir"; continue; }
  build=ok
  if [ "$prep" != - ]; then
    ( eval "$prep" ) > "$D/$prog.build" 2>&1 < /dev/null || build=failed
  fi
  s=$(date +%s.%N)
  eval "timeout -k 5 100 python3 '$REACH/rss.py' '$D/$prog.rss' '$R' verify --timeout '$T' --memory '$M' --jobs 1 $X --format json $args" > "$D/$prog.json" 2> "$D/$prog.err" < /dev/null
  rc=$?
  e=$(date +%s.%N)
  python3 "$REACH/row.py" "$repo" "$commit" "$prog" "$build" "$s" "$e" "$rc" "$D" >> "$OUT"
  tail -1 "$OUT" | cut -c1-300
done < "$REACH/repos.txt"
