//! A lock that is a member of an element at an unknown index can be taken.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

struct account {
    int balance;
    pthread_mutex_t lock;
};

struct account accounts[2];

void *pay(void *arg) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 1)
        return arg;
    pthread_mutex_lock(&accounts[i].lock);
    assert(i == 0); // violation: unreach-call
    pthread_mutex_unlock(&accounts[i].lock);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, pay, 0);
    pthread_join(t, 0);
    return 0;
}
