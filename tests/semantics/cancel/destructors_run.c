//! The destructors of a cancelled thread's keys run behind its handlers.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int handled, destroyed;

static void destroys(void *value) {
    assert(handled && value == &destroyed);
    destroyed = 1;
}

static void handles(void *argument) {
    assert(!destroyed);
    *(int *)argument = 1;
}

static void *worker(void *argument) {
    pthread_setspecific(key, &destroyed);
    pthread_cleanup_push(handles, &handled);
    pthread_cancel(pthread_self());
    pthread_testcancel();
    assert(0);
    pthread_cleanup_pop(0);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destroys);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(destroyed);
    return 0;
}
