//! A reader's lock that is taken in a region is still a reader's.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *add(void *argument) {
    __VERIFIER_atomic_begin();
    pthread_rwlock_rdlock(&lock);
    __VERIFIER_atomic_end();
    x = x + 1;
    __VERIFIER_atomic_begin();
    pthread_rwlock_unlock(&lock);
    __VERIFIER_atomic_end();
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
