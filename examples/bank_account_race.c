//! A bank account that can be overdrawn.
//!
//! `withdraw` checks the balance and then takes the money, without a lock. Both threads can pass the
//! check on the `if` line before either takes anything: the balance falls below zero. The
//! unprotected accesses are also data races. bank_account_fixed.c is the correct version.
//!
//! expect: unreach-call false
//! expect: no-data-race false
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>

static int balance = 100;

static void *withdraw(void *arg) {
    int amount = *(const int *)arg;
    if (balance >= amount) // violation: no-data-race
        balance -= amount; // violation: no-data-race
    return 0;
}

int main(void) {
    pthread_t alice, bob;
    int rent = 80, car = 60;
    pthread_create(&alice, 0, withdraw, &rent);
    pthread_create(&bob, 0, withdraw, &car);
    pthread_join(alice, 0);
    pthread_join(bob, 0);
    assert(balance == 20 || balance == 40); // violation: unreach-call
    return 0;
}
