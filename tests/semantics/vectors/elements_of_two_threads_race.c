//! One thread writes an element of a vector, another one the whole vector.
//! expect: no-data-race false
#include <pthread.h>

typedef int v4 __attribute__((vector_size(16)));

static v4 shared;

static void *writes_first(void *argument) {
    shared[0] = 1; // violation: no-data-race
    return argument;
}

int main(void) {
    pthread_t thread;
    v4 more = {1, 2, 3, 4};
    pthread_create(&thread, 0, writes_first, 0);
    shared += more; // violation: no-data-race
    pthread_join(thread, 0);
    return 0;
}
