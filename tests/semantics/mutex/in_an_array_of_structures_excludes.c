//! A lock that is a member of an element at an unknown index protects what lies beside it.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

struct account {
    int balance;
    pthread_mutex_t lock;
};

struct account accounts[2];
int chosen;

void *pay(void *arg) {
    struct account *a = &accounts[chosen];
    pthread_mutex_lock(&a->lock);
    a->balance = a->balance + 1;
    assert(a->balance == 1);
    a->balance = a->balance - 1;
    pthread_mutex_unlock(&a->lock);
    return arg;
}

int main(void) {
    pthread_t t, u;
    chosen = __VERIFIER_nondet_int() != 0;
    pthread_create(&t, 0, pay, 0);
    pthread_create(&u, 0, pay, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
