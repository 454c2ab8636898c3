//! expect: false(no-data-race)
//! The bank, but the auditor sums up without the locks.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNTS 3
#define TELLERS 2
#define START 100L

struct account {
    pthread_mutex_t lock;
    int number;
    long balance;
};

struct bank {
    struct account *accounts;
    int count;
};

struct order {
    int from;
    int to;
    long amount;
};

struct teller {
    pthread_t thread;
    struct bank *bank;
    const struct order *orders;
    int norders;
    int failed;
};

static struct bank *bank_open(int count)
{
    struct bank *b = malloc(sizeof *b);
    if (b == NULL)
        exit(EXIT_FAILURE);
    b->accounts = malloc(count * sizeof *b->accounts);
    if (b->accounts == NULL)
        exit(EXIT_FAILURE);
    b->count = count;
    for (int i = 0; i < count; i++) {
        pthread_mutex_init(&b->accounts[i].lock, NULL);
        b->accounts[i].number = i;
        b->accounts[i].balance = START;
    }
    return b;
}

static void bank_close(struct bank *b)
{
    for (int i = 0; i < b->count; i++)
        pthread_mutex_destroy(&b->accounts[i].lock);
    free(b->accounts);
    free(b);
}

static int transfer(struct bank *b, int from, int to, long amount)
{
    struct account *source = &b->accounts[from];
    struct account *target = &b->accounts[to];
    struct account *first = source->number < target->number ? source : target;
    struct account *second = first == source ? target : source;
    int result = 0;

    if (source == target)
        return 0;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    if (source->balance < amount) {
        result = -1;
    } else {
        source->balance -= amount;
        target->balance += amount;
    }
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
    return result;
}

static long bank_total(struct bank *b)
{
    long total = 0;

    for (int i = 0; i < b->count; i++)
        total += b->accounts[i].balance;
    return total;
}

static void *teller_main(void *arg)
{
    struct teller *t = arg;

    for (int i = 0; i < t->norders; i++) {
        const struct order *o = &t->orders[i];
        if (transfer(t->bank, o->from, o->to, o->amount) != 0)
            t->failed++;
    }
    return NULL;
}

static void *auditor_main(void *arg)
{
    assert(bank_total(arg) == ACCOUNTS * START);
    return NULL;
}

int main(void)
{
    static const struct order orders[TELLERS][2] = {
        { { 0, 1, 30 }, { 1, 2, 500 } },
        { { 1, 0, 50 }, { 2, 0, 10 } },
    };
    struct bank *bank = bank_open(ACCOUNTS);
    struct teller tellers[TELLERS];
    pthread_t auditor;
    int failed = 0;

    for (int i = 0; i < TELLERS; i++) {
        tellers[i].bank = bank;
        tellers[i].orders = orders[i];
        tellers[i].norders = 2;
        tellers[i].failed = 0;
        if (pthread_create(&tellers[i].thread, NULL, teller_main, &tellers[i]) != 0)
            exit(EXIT_FAILURE);
    }
    if (pthread_create(&auditor, NULL, auditor_main, bank) != 0)
        exit(EXIT_FAILURE);
    for (int i = 0; i < TELLERS; i++) {
        pthread_join(tellers[i].thread, NULL);
        failed += tellers[i].failed;
    }
    pthread_join(auditor, NULL);
    assert(failed == 1);
    printf("total %ld, %d orders failed\n", bank_total(bank), failed);
    bank_close(bank);
    return 0;
}
