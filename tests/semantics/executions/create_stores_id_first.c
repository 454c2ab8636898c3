//! pthread_create stores the id before the new thread takes its first step.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_t id;

static void *child(void *arg) {
    assert(pthread_equal(id, pthread_self()));
    return arg;
}

int main(void) {
    pthread_create(&id, 0, child, 0);
    pthread_join(id, 0);
    return 0;
}
