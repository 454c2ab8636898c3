//! Somebody overwrites one byte of a lock that is taken twice, and it is free.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock;
static atomic_int flag, go;
static int x;

static void *break_it(void *argument) {
    if (go) {
        __atomic_store_n((char *)&lock + 2, 0, 5);
        flag = 1;
        pthread_mutex_lock(&lock);
        x = x + 1;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    pthread_create(&thread, 0, break_it, 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    go = 1;
    while (!flag)
        ;
    pthread_mutex_unlock(&lock);
    x = x + 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    assert(x == 2);
    return 0;
}
