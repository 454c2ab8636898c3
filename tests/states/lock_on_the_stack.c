//! Every round has a lock of its own on the stack, and both threads work under the same one.
//! expect: unreach-call true
//! expect: no-data-race true
//! steps: 20000
#include <assert.h>
#include <pthread.h>

struct shared {
    pthread_mutex_t lock;
    int count;
};

static void *increment(void *argument) {
    struct shared *shared = argument;
    pthread_mutex_lock(&shared->lock);
    shared->count++;
    pthread_mutex_unlock(&shared->lock);
    return 0;
}

int main(void) {
    for (int round = 0; round < 3; round++) {
        struct shared shared = {PTHREAD_MUTEX_INITIALIZER, 0};
        pthread_t a, b;
        pthread_create(&a, 0, increment, &shared);
        pthread_create(&b, 0, increment, &shared);
        pthread_join(a, 0);
        pthread_join(b, 0);
        assert(shared.count == 2);
    }
    return 0;
}
