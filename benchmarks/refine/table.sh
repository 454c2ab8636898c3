#!/bin/sh
# The eleven programs of the paper's table on the refinement engine alone, with and without partial-order reduction, and n equal
# threads, independent and with a common lock.
#
# Usage: table.sh SV-BENCHMARKS
# SV-BENCHMARKS is the directory `c` of a checkout of symbooglix/sv-benchmarks. Writes benchmarks/runs/refine_*.csv.
set -e
base=$1
here=$(dirname "$0")
runs=$here/../runs
measure="cargo run -q --release -p raddle-engine-refine --example measure --"
eleven=
for f in pthread/stateful01_false pthread/stateful01_true pthread/lazy01_false pthread-atomic/peterson_true \
    pthread-atomic/dekker_true pthread-atomic/szymanski_true pthread-atomic/read_write_lock_false \
    pthread-atomic/read_write_lock_true pthread-atomic/time_var_mutex_true pthread/fib_bench_false \
    pthread-ext/14_spin2003_true; do
    eleven="$eleven $base/$f-unreach-call.i"
done
# The last creates threads without end; the number says nothing for the others.
$measure --threads 4 $eleven > "$runs/refine_table1.csv"
many=
temporary=$(mktemp -d)
for kind in independent locked; do
    for n in 2 3 4 5 6 7 8; do
        python3 "$here/threads.py" $kind $n > "$temporary/$kind$n.c"
        cc -E -P "$temporary/$kind$n.c" > "$temporary/$kind$n.i"
        many="$many $temporary/$kind$n.i"
    done
done
$measure $many > "$runs/refine_threads.csv"
python3 "$here/plot.py" "$runs/refine_threads.csv" > "$runs/refine_threads.svg"
rm -r "$temporary"
