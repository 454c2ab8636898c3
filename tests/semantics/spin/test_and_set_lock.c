//! A lock on atomic_flag excludes and synchronises.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int x;

static void *child(void *arg) {
    while (atomic_flag_test_and_set(&lock))
        ;
    x++;
    atomic_flag_clear(&lock);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    assert(x == 2);
    return 0;
}
