#!/usr/bin/env python3
"""Writes the programs of Figure 3 of the staged-analysis paper, rebuilt from their description.

    generate.py DIRECTORY [indexer=2,4,8] [account=11,21] [synchbench=2,13]

One C file per family, size and variant; the expected verdicts stand in the file names
(`_true-unreach-call`, `_false-no-data-race`, ...), computed here and not guessed. README.md says
what the paper leaves open and what is assumed instead.
"""
import os
import sys

MESSAGES = 4  # per thread, as in the indexer of the partial-order-reduction literature


# ---------------------------------------------------------------------------------------- indexer

def table_size(threads):
    """128 slots up to 32 threads (which fill them all), doubled whenever the messages do not fit."""
    size = 128
    while size < MESSAGES * threads:
        size *= 2
    return size


def arrivals(thread_ids, size):
    """How many messages ever try each slot.

    Linear probing is confluent: how many messages move on from a slot to the next does not depend
    on the order of the insertions. So a compare-and-swap fails on a slot in every complete run, as
    often as it has arrivals beyond the first, or in none, and the verdict is known.
    """
    tries = [0] * size
    for tid in thread_ids:
        for m in range(1, MESSAGES + 1):
            tries[(m * 11 + tid) * 7 % size] += 1
    moving = list(tries)
    while any(moving):
        pushed = [0] * size
        for slot in range(size):
            already = tries[slot] - moving[slot]
            stay = 1 if already == 0 and moving[slot] else 0
            pushed[(slot + 1) % size] = moving[slot] - stay
        moving = pushed
        tries = [t + p for t, p in zip(tries, pushed)]
    return tries


def longest_probes(thread_ids, size):
    """For each message, how many slots it tries at most over all schedules."""
    tries = arrivals(thread_ids, size)

    def longest(slot):
        length = 1
        while tries[slot] > 1:  # somebody moves on from here, and it can be this message
            slot, length = (slot + 1) % size, length + 1
        return length

    return [[longest((m * 11 + tid) * 7 % size) for m in range(1, MESSAGES + 1)] for tid in thread_ids]


def probes_of_one_run(thread_ids, size):
    """For each message, how many slots it tries when the threads run one after the other.

    What a checker sees that takes the depth of its loops from an execution. A message that is
    dropped could have been inserted later, so no slot gets more arrivals than without the bound,
    and what was safe stays safe.
    """
    table = [False] * size
    rows = []
    for tid in thread_ids:
        rows.append([])
        for m in range(1, MESSAGES + 1):
            slot, length = (m * 11 + tid) * 7 % size, 1
            while table[slot]:
                slot, length = (slot + 1) % size, length + 1
            table[slot] = True
            rows[-1].append(length)
    return rows


def indexer(threads, cas, bug, bound):
    """cas: "lock" or "atomic"; bound on the probing: None, "bounded" (what a message can need in
    any schedule) or "run" (what it needs in one run)."""
    size = table_size(threads)
    tids = list(range(threads))
    if bug and threads < 12:
        tids[-1] = 0  # below 12 threads nothing collides, unless two threads get the same number
    tries = arrivals(tids, size)
    if bug:
        entry = max(range(size), key=lambda slot: tries[slot])
        assert tries[entry] > 1
    else:
        # An entry that is used, by one message only, and close to those that are fought over.
        used = [slot for slot in range(size) if tries[slot] == 1]
        entry = max(used, key=lambda slot: tries[slot - 1])
    text = f"""\
/* indexer({threads}): {threads} threads put {MESSAGES} messages each into a hash table of {size} slots. */
#include <assert.h>
#include <pthread.h>

#define SIZE {size}
#define MESSAGES {MESSAGES}
#define ENTRY {entry} /* tried by {tries[entry]} message(s) in every complete run */

int table[SIZE];
"""
    if cas == "lock":
        text += """pthread_mutex_t lock[SIZE];

static int cas(int slot, int expected, int desired)
{
    int done = 0;
    pthread_mutex_lock(&lock[slot]);
    if (table[slot] == expected) {
        table[slot] = desired;
        done = 1;
    }
    pthread_mutex_unlock(&lock[slot]);
    return done;
}
"""
    else:
        text += """
static int cas(int slot, int expected, int desired)
{
    return __sync_bool_compare_and_swap(&table[slot], expected, desired);
}
"""
    if bound:
        rows = longest_probes(tids, size) if bound == "bounded" else probes_of_one_run(tids, size)
        text += f"\nstatic const int probes[{threads}][MESSAGES] = {{\n"
        text += "".join(f"    {{{', '.join(map(str, row))}}},\n" for row in rows) + "};\n"
        loop = """        int left = probes[tid][m - 1];
        while (left > 0 && !cas(h, 0, w)) {
            assert(h != ENTRY);
            h = (h + 1) % SIZE;
            left--;
        }"""
    else:
        loop = """        while (!cas(h, 0, w)) {
            assert(h != ENTRY);
            h = (h + 1) % SIZE;
        }"""
    text += f"""
static void *worker(void *argument)
{{
    int tid = (int)(long)argument;
    int m = 0;
    while (m < MESSAGES) {{
        int w = (++m) * 11 + tid;
        int h = (w * 7) % SIZE;
{loop}
    }}
    return 0;
}}

int main(void)
{{
    pthread_t thread[{threads}];
"""
    if cas == "lock":
        text += "    for (int i = 0; i < SIZE; i++)\n        pthread_mutex_init(&lock[i], 0);\n"
    for i, tid in enumerate(tids):
        text += f"    pthread_create(&thread[{i}], 0, worker, (void *){tid}L);\n"
    text += f"""\
    for (int i = 0; i < {threads}; i++)
        pthread_join(thread[i], 0);
    return 0;
}}
"""
    name = f"indexer-{threads}-{cas}{'-' + bound if bound else ''}_{'false' if bug else 'true'}-unreach-call.c"
    return name, text


# ---------------------------------------------------------------------------------------- account

def account(threads, bug):
    """`threads` counts the checker; the rest are customers of one account.

    bug: None, "update" (one deposit reads and writes in two critical sections: the assertions
    fail, no race) or "race" (one withdrawal forgets the lock).
    """
    customers = threads - 1
    text = f"""\
/* account({threads}): {customers} customers of one bank account and a checker. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 100;
int deposits;
int withdrawals;

static void deposit(int amount)
{{
    pthread_mutex_lock(&lock);
    balance = balance + amount;
    deposits = deposits + amount;
    pthread_mutex_unlock(&lock);
}}

static void withdraw(int amount)
{{
    pthread_mutex_lock(&lock);
    if (balance >= amount) {{
        balance = balance - amount;
        withdrawals = withdrawals + amount;
    }}
    pthread_mutex_unlock(&lock);
}}

static void *customer(void *argument)
{{
    int number = (int)(long)argument;
    deposit(10 + number);
    withdraw(5 + number);
    return 0;
}}
"""
    if bug == "update":
        text += """
static void *careless(void *argument)
{
    int amount = 10 + (int)(long)argument;
    pthread_mutex_lock(&lock);
    int seen = balance;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    balance = seen + amount; /* what the others did meanwhile is lost */
    deposits = deposits + amount;
    pthread_mutex_unlock(&lock);
    return 0;
}
"""
    if bug == "race":
        text += """
static void *careless(void *argument)
{
    int amount = 5 + (int)(long)argument;
    if (balance >= amount) {
        balance = balance - amount;
        withdrawals = withdrawals + amount;
    }
    return 0;
}
"""
    text += f"""
static void *checker(void *argument)
{{
    (void)argument;
    pthread_mutex_lock(&lock);
    assert(balance == 100 + deposits - withdrawals);
    assert(balance >= 0);
    pthread_mutex_unlock(&lock);
    return 0;
}}

int main(void)
{{
    pthread_t thread[{threads}];
"""
    for i in range(customers):
        body = "careless" if bug and i == customers - 1 else "customer"
        text += f"    pthread_create(&thread[{i}], 0, {body}, (void *){i}L);\n"
    text += f"""\
    pthread_create(&thread[{customers}], 0, checker, 0);
    for (int i = 0; i < {threads}; i++)
        pthread_join(thread[i], 0);
    assert(balance == 100 + deposits - withdrawals);
    return 0;
}}
"""
    reach = "true" if bug is None else "false"
    race = "false" if bug == "race" else "true"
    kind = f"-{bug}" if bug else ""
    return f"account-{threads}{kind}_{reach}-unreach-call_{race}-no-data-race.c", text


# ------------------------------------------------------------------------------------- SynchBench

def synchbench(threads, bug):
    """Counters behind a synchronised method and a synchronised block, then a barrier.

    bug: None or "wronglock" (the last thread's block is synchronised on another object).
    """
    rounds = 2
    text = f"""\
/* SynchBench({threads}): {threads} threads use a synchronised method and a synchronised block {rounds} times each,
   meet at a barrier, and look at what came of it. */
#include <assert.h>
#include <pthread.h>

#define THREADS {threads}
#define ROUNDS {rounds}

pthread_mutex_t method_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t object_lock[2] = {{PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}};
int method_count;
int object_count;

pthread_mutex_t barrier_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t barrier_open = PTHREAD_COND_INITIALIZER;
int arrived;

static void method(void)
{{
    pthread_mutex_lock(&method_lock);
    method_count = method_count + 1;
    pthread_mutex_unlock(&method_lock);
}}

static void barrier(void)
{{
    pthread_mutex_lock(&barrier_lock);
    arrived = arrived + 1;
    if (arrived == THREADS)
        pthread_cond_broadcast(&barrier_open);
    while (arrived < THREADS)
        pthread_cond_wait(&barrier_open, &barrier_lock);
    pthread_mutex_unlock(&barrier_lock);
}}

static void *worker(void *argument)
{{
    pthread_mutex_t *object = &object_lock[(long)argument];
    for (int i = 0; i < ROUNDS; i++)
        method();
    for (int i = 0; i < ROUNDS; i++) {{
        pthread_mutex_lock(object);
        object_count = object_count + 1;
        pthread_mutex_unlock(object);
    }}
    barrier();
    assert(method_count == THREADS * ROUNDS);
    assert(object_count == THREADS * ROUNDS);
    return 0;
}}

int main(void)
{{
    pthread_t thread[THREADS];
"""
    for i in range(threads):
        text += f"    pthread_create(&thread[{i}], 0, worker, (void *){1 if bug and i == threads - 1 else 0}L);\n"
    text += """\
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
    return 0;
}
"""
    word = "false" if bug else "true"
    kind = f"-{bug}" if bug else ""
    return f"synchbench-{threads}{kind}_{word}-unreach-call_{word}-no-data-race.c", text


# ------------------------------------------------------------------------------------------- main

def programs(family, size):
    if family == "indexer":
        for cas in ("lock", "atomic"):
            for bound in (None, "bounded", "run"):
                yield indexer(size, cas, False, bound)
            yield indexer(size, cas, True, None)
    elif family == "account":
        for bug in (None, "update", "race"):
            yield account(size, bug)
    elif family == "synchbench":
        for bug in (None, "wronglock"):
            yield synchbench(size, bug)
    else:
        sys.exit(f"no such family: {family}")


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    directory = sys.argv[1]
    wanted = sys.argv[2:] or ["indexer=2,4,8,16,20,24,27,28,29,30,31,32,48,64", "account=11,21", "synchbench=2,13"]
    os.makedirs(directory, exist_ok=True)
    for argument in wanted:
        family, _, sizes = argument.partition("=")
        for size in sizes.split(","):
            for name, text in programs(family, int(size)):
                with open(os.path.join(directory, name), "w") as file:
                    file.write(text)


if __name__ == "__main__":
    main()
