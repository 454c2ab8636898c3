//! A number of bits that came back through a pointer may be too large.
//! expect: no-bad-shift false
#include <pthread.h>

static int bits = 32, shifted;

static void *give(void *unused) {
    (void)unused;
    return (void *)(long)shifted;
}

int main(void) {
    pthread_t thread;
    void *result = 0;
    shifted = 1 << bits; // violation: no-bad-shift
    pthread_create(&thread, 0, give, 0);
    pthread_join(thread, &result);
    bits = (int)(long)result;
    return 0;
}
