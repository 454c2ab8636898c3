//! A loop that joins more elements than were filled: a zero is no thread.
//! expect: valid-sync false
//! gcc: skip undefined
#include <pthread.h>

static pthread_t threads[2];

static void *ends(void *a) { return a; }

int main(void) {
    pthread_create(&threads[0], 0, ends, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0); // violation: valid-sync
    return 0;
}
