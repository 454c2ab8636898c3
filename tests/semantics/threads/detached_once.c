//! A thread that is detached once, by who made it, and never joined, is detached well, beside others that are joined.
//! expect: valid-sync true
#include <pthread.h>

static void *works(void *arg) { return arg; }

int main(void) {
    pthread_t alone, a;
    pthread_create(&alone, 0, works, 0);
    pthread_detach(alone);
    pthread_create(&a, 0, works, 0);
    pthread_join(a, 0);
    return 0;
}
