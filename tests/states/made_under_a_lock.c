//! What a new thread does can come between making it and what its maker does next, also where that is under a lock.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *nothing(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void *set(void *argument) {
    x = 1;
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, nothing, 0);
    pthread_mutex_lock(&lock);
    pthread_create(&b, 0, set, 0);
    int seen = x;
    pthread_mutex_unlock(&lock);
    assert(seen == 0);
    return 0;
}
