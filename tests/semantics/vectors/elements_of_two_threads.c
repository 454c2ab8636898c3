//! Two threads write different elements of a vector.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

typedef int v4 __attribute__((vector_size(16)));

static v4 shared;

static void *writes_first(void *argument) {
    shared[0] = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writes_first, 0);
    shared[1] = 2;
    pthread_join(thread, 0);
    assert(shared[0] + shared[1] == 3);
    return 0;
}
