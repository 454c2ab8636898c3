//! A compare-and-swap compares addresses: it succeeds on a new object at the freed address (ABA).
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic top;

static void *replace(void *arg) {
    free(atomic_exchange(&top, 0));
    int *fresh = malloc(sizeof *fresh);
    *fresh = 2;
    top = fresh;
    return arg;
}

int main(void) {
    pthread_t a;
    int *first = malloc(sizeof *first);
    *first = 1;
    top = first;
    int *expected = top;
    int value = *expected;
    pthread_create(&a, 0, replace, 0);
    pthread_join(a, 0);
    if (atomic_compare_exchange_strong(&top, &expected, 0))
        assert(value == 2); // violation: unreach-call
    return 0;
}
