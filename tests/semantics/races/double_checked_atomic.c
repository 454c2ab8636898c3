//! Double-checked locking on an atomic pointer is right.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int storage, *_Atomic instance;

static void *get(void *arg) {
    if (!instance) {
        pthread_mutex_lock(&m);
        if (!instance) {
            storage = 7;
            instance = &storage;
        }
        pthread_mutex_unlock(&m);
    }
    assert(*instance == 7);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, get, 0);
    get(0);
    pthread_join(t, 0);
    return 0;
}
