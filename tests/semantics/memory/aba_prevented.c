//! While the old object is not freed, nobody gets its address: the compare-and-swap fails as it should.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic top;
static int *retired;

static void *replace(void *arg) {
    retired = atomic_exchange(&top, 0);
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
        assert(value == 2);
    free(retired);
    return 0;
}
