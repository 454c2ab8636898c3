#!/bin/sh
# Fusion against partial-order reduction, after Table 1 and Figure 6 of the paper: table1.sh [SECONDS] > rows.csv
# Each method gets SECONDS (30) of wall time; needs `cargo build --release -p raddle-engine-fusion --example table1`, TABLE1 is the binary.
seconds=${1:-30}
here=$(dirname "$0")
table=${TABLE1:-target/release/examples/table1}
methods=${METHODS:-prune dpor optimal driven}
echo "program,size,expected,method,answer,executions,steps,seconds"
row() { # program file size expected defines
    for method in $methods; do
        result=$("$table" "$method" "$seconds" "$here/$2.c" "-DN=$3" $5)
        echo "$1,$3,$4,$result"
    done
}
for n in 1 5 10; do row fa02 fa02 $n false; done
for n in 5 10 20 25; do row pbch4 pbch4 $n false; done
for n in 1 3 4 5 6; do row pbch4ok pbch4 $n true -DOK; done
for n in 0 1 2 3 4 5 6; do row dynrec dynrec $n false; done
for n in 10 11; do row indexer indexer $n true; done
for n in 12 14 16 18 20; do row indexer indexer $n false; done
for n in 10 12 14 16 18 20; do row indexerok indexer $n true -DOK; done
