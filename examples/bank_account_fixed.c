//! Transfers between two accounts, each with a lock of its own.
//!
//! Both locks are held during a transfer, and they are always taken in the order of the accounts'
//! numbers, so that two opposite transfers cannot block each other.
//!
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account account[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 100},
    {PTHREAD_MUTEX_INITIALIZER, 50},
};

static void transfer(int from, int to, int amount) {
    int low = from < to ? from : to;
    int high = from < to ? to : from;
    pthread_mutex_lock(&account[low].lock);
    pthread_mutex_lock(&account[high].lock);
    if (account[from].balance >= amount) {
        account[from].balance -= amount;
        account[to].balance += amount;
    }
    pthread_mutex_unlock(&account[high].lock);
    pthread_mutex_unlock(&account[low].lock);
}

static void *pay_back(void *arg) {
    transfer(1, 0, 70);
    return arg;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, pay_back, 0);
    transfer(0, 1, 80);
    pthread_join(other, 0);
    assert(account[0].balance >= 0 && account[1].balance >= 0);
    assert(account[0].balance + account[1].balance == 150);
    return 0;
}
