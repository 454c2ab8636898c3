//! An atomic read of half of what an atomic write wrote is ordered after it.
//! expect: no-data-race true
//! gcc: skip mixes widths of one atomic object
#include <pthread.h>

static union {
    unsigned long whole;
    unsigned half[2];
} u;
static int x;

static void *child(void *arg) {
    x = 1;
    __atomic_store_n(&u.whole, 0x100000001ul, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    if (__atomic_load_n(&u.half[1], __ATOMIC_SEQ_CST))
        x = 2;
    pthread_join(a, 0);
    return 0;
}
