//! Whoever holds a lock that is made anew holds nothing.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static int x;

static void *add(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    flag = 1;
    pthread_mutex_lock(&lock);
    x = x + 1;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_mutex_init(&lock, 0);
    pthread_create(&thread, 0, add, 0);
    if (flag) {
        x = x + 1;
        pthread_join(thread, 0);
        assert(x == 2);
    }
    return 0;
}
