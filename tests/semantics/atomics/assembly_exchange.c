//! `xchg` with memory in inline assembly is atomic: a lock made of it works.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static int word, x;

static int exchange(int *place, int value) {
    int old;
    __asm__ __volatile__("xchgl %0,%1" : "=r"(old), "+m"(*place) : "0"(value) : "memory");
    return old;
}

static void *adds(void *arg) {
    if (exchange(&word, 1) == 0) {
        x++;
        exchange(&word, 0);
    }
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, adds, 0);
    adds(0);
    pthread_join(t, 0);
    assert(x == 1 || x == 2);
    return 0;
}
