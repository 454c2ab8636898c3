//! A spin lock that another thread unlocks is free.
//! expect: unreach-call true
//! expect: valid-sync false
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t s;

static void *child(void *arg) {
    assert(pthread_spin_unlock(&s) == 0); // violation: valid-sync
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_spin_init(&s, 0);
    pthread_spin_lock(&s);
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    assert(pthread_spin_trylock(&s) == 0);
    return 0;
}
