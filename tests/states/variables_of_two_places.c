//! Two variables that are made at different places are not one and the same, although one could be the other by its number.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int *_Atomic shared;
static atomic_int which;

static void first(void) {
    int v = 0;
    shared = &v;
    __atomic_store_n(&v, 7, 5);
    __atomic_store_n(&v, 2, 5);
    shared = 0;
}

static void second(void) {
    int v = 0;
    shared = &v;
    __atomic_store_n(&v, 1, 5);
    __atomic_store_n(&v, 2, 5);
    shared = 0;
}

static void *look(void *argument) {
    int *p = shared;
    if (p)
        assert(__atomic_load_n(p, 5) != 7);
    return argument;
}

static void *work(void *argument) {
    if (which)
        first();
    else
        second();
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, look, 0);
    pthread_create(&b, 0, work, 0);
    which = 1;
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
