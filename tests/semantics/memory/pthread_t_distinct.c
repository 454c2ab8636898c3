//! Until the join a thread keeps its id, even when it has already finished.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *child(void *arg) {
    done = 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, child, 0);
    int finished = done;
    pthread_create(&b, 0, child, 0);
    assert(!pthread_equal(a, b) && !pthread_equal(a, pthread_self()));
    pthread_join(a, 0);
    pthread_join(b, 0);
    return finished && 0;
}
