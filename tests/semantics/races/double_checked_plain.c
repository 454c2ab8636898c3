//! The unlocked first check of double-checked locking on a plain pointer races.
//! expect: no-data-race false
//! expect: unreach-call true
//! gcc: skip the compiler may reorder plain accesses
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int storage, *instance;

static void *get(void *arg) {
    if (!instance) { // violation: no-data-race
        pthread_mutex_lock(&m);
        if (!instance) {
            storage = 7;
            instance = &storage; // violation: no-data-race
        }
        pthread_mutex_unlock(&m);
    }
    assert(*instance == 7); // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, get, 0);
    get(0);
    pthread_join(t, 0);
    return 0;
}
