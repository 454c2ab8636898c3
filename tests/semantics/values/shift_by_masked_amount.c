//! A shift amount that a mask keeps within the width, whatever another thread writes.
//! expect: no-bad-shift true
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
    unsigned bit = 1u << (atomic_load(&amount) & 31);
    pthread_join(t, 0);
    return bit == 0;
}
