//! A mask that is too wide for the width of the shifted value.
//! expect: no-bad-shift false
//! gcc: skip it may shift too far
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint amount;

static void *writes(void *a) {
    atomic_store(&amount, 40);
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writes, 0);
    unsigned bit = 1u << (atomic_load(&amount) & 63); // violation: no-bad-shift
    pthread_join(t, 0);
    return bit == 0;
}
