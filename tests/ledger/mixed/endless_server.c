//! A server that never ends, and a client that does.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int requests, served;

static void *server(void *arg) {
    for (;;) {
        pthread_mutex_lock(&lock);
        if (served < requests)
            served++;
        assert(served <= requests);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, server, 0);
    pthread_mutex_lock(&lock);
    requests = 2;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(served <= 2);
    pthread_mutex_unlock(&lock);
    return 0;
}
