//! pthread_exit runs the cleanup handlers that are still there, the last first, before the destructors of keys.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static int order;
static pthread_key_t key;
static void ends(void *arg) { order = order * 10 + *(int *)arg; }

static void *worker(void *arg) {
    int one = 1, two = 2, three = 3;
    pthread_setspecific(key, &order);
    pthread_cleanup_push(ends, &one);
    pthread_cleanup_push(ends, &two);
    pthread_cleanup_push(ends, &three);
    pthread_cleanup_pop(0);
    pthread_exit(arg);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return 0;
}

static void frees(void *arg) { *(int *)arg *= 2; }

int main(void) {
    pthread_t t;
    pthread_key_create(&key, frees);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(order == 42);
    return 0;
}
