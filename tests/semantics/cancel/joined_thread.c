//! A thread that was joined is none any more: cancelling it is misuse.
//! expect: valid-sync false
//! gcc: skip undefined
#include <pthread.h>

static void *ends(void *a) { return a; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, ends, 0);
    pthread_join(thread, 0);
    pthread_cancel(thread); // violation: valid-sync
    return 0;
}
