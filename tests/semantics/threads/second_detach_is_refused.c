//! A thread can be detached once: the second time is refused, and a misuse.
//! expect: valid-sync false
//! gcc: skip the handle may be gone
#include <pthread.h>

static void *child(void *arg) { return arg; }

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    pthread_detach(a);
    pthread_detach(a); // violation: valid-sync
    return 0;
}
