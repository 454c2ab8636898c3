//! Deposits and withdrawals under one lock: a transaction each, so the states are those of who has done what.
//! expect: all true
//! steps: 700000
#include <assert.h>
#include <pthread.h>

#define CUSTOMERS 6

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100, deposits, withdrawals;

static void *customer(void *argument) {
    int amount = *(int *)argument;
    pthread_mutex_lock(&lock);
    balance += amount;
    deposits += amount;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (balance >= amount + 3) {
        balance -= amount + 3;
        withdrawals += amount + 3;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[CUSTOMERS];
    int amounts[CUSTOMERS];
    for (int i = 0; i < CUSTOMERS; i++) {
        amounts[i] = 10 + i;
        pthread_create(&threads[i], 0, customer, &amounts[i]);
    }
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_join(threads[i], 0);
    assert(balance == 100 + deposits - withdrawals);
    return 0;
}
