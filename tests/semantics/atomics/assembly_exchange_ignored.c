//! The same lock, but nobody looks at what was exchanged.
//! expect: no-data-race false
#include <pthread.h>

static int word, x;

static int exchange(int *place, int value) {
    int old;
    __asm__ __volatile__("xchgl %0,%1" : "=r"(old), "+m"(*place) : "0"(value) : "memory");
    return old;
}

static void *adds(void *arg) {
    if (exchange(&word, 1) < 2) {
        x++; // violation: no-data-race
        exchange(&word, 0);
    }
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, adds, 0);
    adds(0);
    pthread_join(t, 0);
    return 0;
}
