//! A detachment in a loop behind the creation is one of a thread that is detached already.
//! expect: valid-sync false
#include <pthread.h>

static void *works(void *arg) { return arg; }

int main(void) {
    pthread_t alone;
    pthread_create(&alone, 0, works, 0);
    for (int i = 0; i < 2; i++)
        pthread_detach(alone); // violation: valid-sync
    return 0;
}
